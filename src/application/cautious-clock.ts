/**
 * A clock for work that cannot be undone. When the machine's clock jumps ahead, this clock follows only after
 * a day, so people have time to correct the jump.
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

/** Smaller jumps are trusted, because time servers make them. */
const SLACK_MS = MINUTE_MS;

export function makeCautiousClock({ clock, monotonicMs, log }: CautiousClockDeps): Clock {
  let trusted = clock() - monotonicMs();
  let jumpedAt: number | null = null;
  return () => {
    const passed = monotonicMs();
    const shown = clock() - passed;
    if (shown <= trusted + SLACK_MS) {
      jumpedAt = null;
      // Small corrections are followed. A clock set far back may be corrected later, so then `trusted` does not change.
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
