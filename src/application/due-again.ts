import type { EpochMs } from '#domain/time.ts';

/** Whether `everyMs` have passed since `doneAt`. A clock set back since then counts as due. */
export function isDueAgain(doneAt: EpochMs, everyMs: number, now: EpochMs): boolean {
  return now - doneAt >= everyMs || now < doneAt;
}
