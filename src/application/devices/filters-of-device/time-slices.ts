/** Splits long work into slices, so other work on the thread runs in between, and ends it at a deadline. */
import { letOthersGoFirst } from '#application/in-slices.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { Steps } from '#domain/steps.ts';

/** `cancelled`: the caller no longer waits. */
export type Ending = 'timeout' | 'cancelled';

export interface TimeSlices {
  /**
   * Null, or why the work must end. Call it between steps of about a millisecond. Once a slice is used up, other work
   * runs first.
   */
  next(): Ending | null | Promise<Ending | null>;
  /** Runs the steps until they end or the work must end. */
  run<T>(steps: Steps<T>): Promise<Result<T, Ending>>;
  /** The result of the work, or why it must end, whichever comes first. */
  within<T>(work: Promise<Result<T, Ending>>): Promise<Result<T, Ending>>;
  /** Aborts work that runs elsewhere. */
  readonly signal: AbortSignal;
}

/** Milliseconds. */
const SLICE_MS = 5;

/** The time starts at once. */
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
