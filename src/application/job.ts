import type { EpochMs } from '#domain/time.ts';

/** Background work, in the server or in a separate worker (Contract: §9, WORKER). */
export interface Job {
  /** For logs and nudges. */
  readonly name: string;
  /** How many runs may overlap within one process. */
  readonly concurrency: number;
  /** Milliseconds between the end of a run and the next. Default: as for all jobs of the worker. */
  readonly intervalMs?: number;
  /** Runs again soon after `wake` is called. Returns how to stop. */
  listen?(wake: () => void): () => void;
  /** Does everything that is due and returns. */
  run(stop: StopSignals): Promise<void>;
  /** After the last run: resolves when what runs have left under way has ended. */
  finish?(): Promise<void>;
}

/** Jobs stop in two steps. */
export interface StopSignals {
  /** Start nothing new; finish work in flight. */
  readonly stopping: AbortSignal;
  /** Abandon work in flight within about a second. */
  readonly aborting: AbortSignal;
}

/** Whether `everyMs` have passed since `doneAt`. A clock set back since then counts as due. */
export function isDueAgain(doneAt: EpochMs, everyMs: number, now: EpochMs): boolean {
  return now - doneAt >= everyMs || now < doneAt;
}
