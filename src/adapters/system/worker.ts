/** Runs jobs again and again, each for itself, until it is told to stop. */
import type { Job, StopSignals } from '#application/job.ts';
import type { Log } from '#application/ports/log.ts';
import { traceOf } from '#application/trace-of.ts';

export interface Worker {
  /** Has the jobs of this name run at once instead of at their next time. */
  nudge(name: string): void;
  /** Fulfilled when every job has ended, and after `graceMs` at the latest. */
  stop(graceMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  /** From the end of a run to the beginning of the next. */
  readonly intervalMs: number;
  readonly log: Log;
}

/** What is left of the grace for a job to let go of what it could not finish. */
const LETTING_GO_MS = 2_000;

export function startWorker({ jobs, intervalMs, log }: WorkerOptions): Worker {
  const stopping = new AbortController();
  const lettingGo = new AbortController();
  const stop: StopSignals = { stopping: stopping.signal, lettingGo: lettingGo.signal };
  const lanes = jobs.flatMap((job) =>
    Array.from({ length: job.lanes }, () => ({ name: job.name, ...startLane(job, intervalMs, stop, log) })),
  );
  return {
    nudge: (name) => {
      for (const lane of lanes) if (lane.name === name) lane.nudge();
    },
    stop: async (graceMs) => {
      stopping.abort();
      const ended = Promise.all(lanes.map(({ ended }) => ended)).then((): true => true);
      if (await within(graceMs - LETTING_GO_MS, ended)) return;
      lettingGo.abort();
      if (!(await within(LETTING_GO_MS, ended))) log.warn({}, 'a job did not end in time and is left behind');
    },
  };
}

function startLane(job: Job, intervalMs: number, stop: StopSignals, log: Log) {
  let isNudged = false;
  let wake = () => {};
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, intervalMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const nudge = () => {
    isNudged = true;
    wake();
  };
  stop.stopping.addEventListener('abort', () => wake(), { once: true });
  const loop = async () => {
    while (!stop.stopping.aborted) {
      isNudged = false;
      try {
        await job.run(stop);
      } catch (error) {
        log.error({ job: job.name, error: describeError(error) }, 'a job failed and will run again');
      }
      if (!isNudged && !stop.stopping.aborted) await pause();
    }
  };
  return { nudge, ended: loop() };
}

/** Without the message, in which there may be anything that anybody typed. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  return { name: error.name, ...('code' in error && { code: error.code }), stack: traceOf(error) };
}

async function within(ms: number, ended: Promise<true>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), Math.max(0, ms));
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
