import type { Job, StopSignals } from '#application/job.ts';
import type { Log } from '#application/ports/log.ts';
import { databaseWords, traceOf } from '#application/telemetry/error-words.ts';

export interface Worker {
  /** Runs the job now, or once more if it is running. */
  nudge(name: string): void;
  stop(graceMs: number): Promise<void>;
}

export interface WorkerOptions {
  readonly jobs: readonly Job[];
  /** The pause between the end of a run and the next start. */
  readonly intervalMs: number;
  readonly log: Log;
}

/** The last part of the grace period, in which jobs abort. */
const ABORT_MS = 2_000;

export function startWorker({ jobs, intervalMs, log }: WorkerOptions): Worker {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const stop: StopSignals = { stopping: stopping.signal, aborting: aborting.signal };
  const loops = jobs.flatMap((job) =>
    Array.from({ length: job.concurrency }, () => ({
      name: job.name,
      ...startLoop(job, job.intervalMs ?? intervalMs, stop, log),
    })),
  );
  return {
    nudge: (name) => {
      for (const loop of loops) if (loop.name === name) loop.nudge();
    },
    stop: async (graceMs) => {
      stopping.abort();
      const ended = Promise.all(loops.map(({ ended }) => ended)).then((): true => true);
      if (await within(graceMs - ABORT_MS, ended)) return;
      aborting.abort();
      if (!(await within(ABORT_MS, ended))) log.warn({}, 'a job did not stop in time and was abandoned');
    },
  };
}

function startLoop(job: Job, intervalMs: number, stop: StopSignals, log: Log) {
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
  const unlisten = job.listen?.(nudge);
  const loop = async () => {
    while (!stop.stopping.aborted) {
      isNudged = false;
      try {
        await job.run(stop);
      } catch (error) {
        log.error({ job: job.name, error: describeError(error) }, 'a job failed and will be run again');
      }
      if (!isNudged && !stop.stopping.aborted) await pause();
    }
    unlisten?.();
    await job.finish?.();
  };
  return { nudge, ended: loop() };
}

/** An error's message may contain user input, so only PostgreSQL's words are kept. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const said = databaseWords(error);
  return {
    name: error.name,
    ...('code' in error && { code: error.code }),
    ...(said !== null && { said }),
    stack: traceOf(error),
  };
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
