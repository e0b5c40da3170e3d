import type { EpochMs } from '#domain/time.ts';

/** Background work, in the server or in a separate worker (Contract: §9, WORKER). */
export interface Job {
  readonly name: string;
  /** Runs that may overlap within one process. */
  readonly concurrency: number;
  /** Milliseconds from the end of a run to the next. Default: the worker's. */
  readonly intervalMs?: number;
  /** Runs again soon after `wake`. Returns a function that stops listening. */
  listen?(wake: () => void): () => void;
  /** Does everything that is due. */
  run(stop: StopSignals): Promise<void>;
  /** After the last run: resolves when its remaining work has ended. */
  finish?(): Promise<void>;
}

export interface StopSignals {
  /** Finish work in flight, and start nothing new. */
  readonly stopping: AbortSignal;
  /** Abandon work in flight within about a second. */
  readonly aborting: AbortSignal;
}

/** A clock set back since then counts as due. */
export function isDueAgain(doneAt: EpochMs, everyMs: number, now: EpochMs): boolean {
  return now - doneAt >= everyMs || now < doneAt;
}
