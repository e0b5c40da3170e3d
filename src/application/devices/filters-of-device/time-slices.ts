/** Long work on the one thread: in slices, between which everything else runs, and up to a deadline. */
import { letOthersGoFirst } from '#application/in-slices.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { Steps } from '#domain/steps.ts';

/** Why the work must end: its time is up, or nobody waits for it any more. */
export type Ending = 'timeout' | 'cancelled';

export interface TimeSlices {
  /**
   * Why the work must end, or null. To be asked between steps of a millisecond or so; where a slice is used up, others
   * get their turn first.
   */
  next(): Ending | null | Promise<Ending | null>;
  /** Runs the steps to their end, or until the work must end. */
  run<T>(steps: Steps<T>): Promise<Result<T, Ending>>;
  /** What the work gives, or why it must end, whichever comes first. */
  within<T>(work: Promise<Result<T, Ending>>): Promise<Result<T, Ending>>;
  /** Ends work that is done elsewhere. */
  readonly signal: AbortSignal;
}

/** How long a slice is, in milliseconds. */
const SLICE_MS = 5;

/** The time starts to run at once. */
export function makeTimeSlices(timeoutMs: number, caller: AbortSignal | undefined): TimeSlices {
  const deadline = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller === undefined ? timeout : AbortSignal.any([caller, timeout]);
  let sliceEnd = performance.now() + SLICE_MS;
  const findEnding = (): Ending | null => {
    if (caller?.aborted) return 'cancelled';
    return performance.now() >= deadline ? 'timeout' : null;
  };
  const next: TimeSlices['next'] = () => {
    const ending = findEnding();
    if (ending !== null || performance.now() < sliceEnd) return ending;
    return letOthersGoFirst().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
      return findEnding();
    });
  };
  return {
    signal,
    next,
    run: async (steps) => {
      for (;;) {
        const step = steps.next();
        if (step.done) return ok(step.value);
        const ending = await next();
        if (ending !== null) return err(ending);
      }
    },
    within: async (work) => {
      const { promise: ended, resolve } = Promise.withResolvers<Result<never, Ending>>();
      const end = () => resolve(err(caller?.aborted ? 'cancelled' : 'timeout'));
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      try {
        return await Promise.race([work, ended]);
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
  };
}
