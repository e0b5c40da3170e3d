/** Work that goes on behind the requests, in the server's process or in one of its own (Contract: §9, WORKER). */
export interface Job {
  /** What it is called in the log, and nudged by. */
  readonly name: string;
  /** How often it may run at once in one process. */
  readonly lanes: number;
  /** Does all that is due now, and returns. */
  run(stop: StopSignals): Promise<void>;
}

/** How a job is told to end: first kindly. */
export interface StopSignals {
  /** Take on nothing more, and finish what is in hand. */
  readonly stopping: AbortSignal;
  /** Let go of what is in hand as well, within a second or so. */
  readonly lettingGo: AbortSignal;
}
