/** Background work, in the server's process or in one of its own (Contract: §9, WORKER). */
export interface Job {
  /** Its name in the log, and for nudges. */
  readonly name: string;
  /** How many runs of it may be under way at once in one process. */
  readonly concurrency: number;
  /** Does everything that is due now, and returns. */
  run(stop: StopSignals): Promise<void>;
}

/** How a job is asked to stop, in two steps. */
export interface StopSignals {
  /** Start nothing new, and finish what is in flight. */
  readonly stopping: AbortSignal;
  /** Abandon what is in flight as well, within about a second. */
  readonly aborting: AbortSignal;
}
