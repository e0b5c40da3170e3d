import type { EpochMs } from '#domain/time.ts';

/** Background work, in the server or in a separate worker (Contract: §9, WORKER). */
export interface Job {
  readonly name: string;
  /** How many runs may overlap in one process. */
  readonly concurrency: number;
  /** Milliseconds between two runs. Default: the worker's. */
  readonly intervalMs?: number;
  /** Registers `wake`, which runs the job again soon. Returns a function that stops listening. */
  listen?(wake: () => void): () => void;
  /** Does everything that is due. */
  run(stop: StopSignals): Promise<void>;
  /** Called after the last run. Resolves when all work that the runs began has ended. */
  finish?(): Promise<void>;
}

export interface StopSignals {
  /** Finish work in flight, and start nothing new. */
  readonly stopping: AbortSignal;
  /** Abandon work in flight within about a second. */
  readonly aborting: AbortSignal;
}

/** Also true if the clock was set back since `doneAt`. */
export function isDueAgain(doneAt: EpochMs, everyMs: number, now: EpochMs): boolean {
  return now - doneAt >= everyMs || now < doneAt;
}
