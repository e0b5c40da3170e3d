/**
 * A clock for actions that cannot be undone. When the machine's clock jumps ahead, this clock keeps its pace for a
 * day, so the jump can be noticed and taken back.
 */
import type { Clock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';

export interface CautiousClockDeps {
  readonly clock: Clock;
  /** Milliseconds from an arbitrary start. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** Time servers correct clocks by less. */
const SLACK_MS = MINUTE_MS;

export function makeCautiousClock({ clock, monotonicMs, log }: CautiousClockDeps): Clock {
  let trusted = clock() - monotonicMs();
  let jumpedAt: number | null = null;
  return () => {
    const passed = monotonicMs();
    const shown = clock() - passed;
    if (shown <= trusted + SLACK_MS) {
      jumpedAt = null;
      // A clock that was set back may return. Small corrections add up.
      if (shown >= trusted - SLACK_MS) trusted = shown;
      return passed + shown;
    }
    if (jumpedAt === null) {
      const aheadMinutes = Math.round((shown - trusted) / MINUTE_MS);
      log.warn({ aheadMinutes }, 'the clock has jumped ahead; nothing is erased by the new time for a day');
    }
    jumpedAt ??= passed;
    if (passed - jumpedAt >= DAY_MS) trusted = shown;
    return passed + trusted;
  };
}
