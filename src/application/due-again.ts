/** For what is done at most once in a while. */
import type { EpochMs } from '#domain/time.ts';

/** Whether it is due, last done at `doneAt`. A clock that has been set back since puts nothing off. */
export function isDueAgain(doneAt: EpochMs, everyMs: number, now: EpochMs): boolean {
  return now - doneAt >= everyMs || now < doneAt;
}
