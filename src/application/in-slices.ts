/** Runs long work in slices of a few milliseconds, so other work gets its turn. */
import { err, ok, type Result } from '#domain/result.ts';
import type { Steps } from '#domain/steps.ts';

const SLICE_MS = 5;

export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const endSlice = makeEndSlice(SLICE_MS);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pause = endSlice();
    if (pause !== undefined) await pause;
  }
}

/** Resolves after everything that is already due has run. */
export function letOthersGoFirst(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/** Call it between small steps. It pauses when the slice is used up. */
export type EndSlice = () => Promise<void> | undefined;

/** `sliceMs` is how long the work may run without a pause. */
export function makeEndSlice(sliceMs: number): EndSlice {
  let sliceEnd = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return letOthersGoFirst().then(() => {
      sliceEnd = performance.now() + sliceMs;
    });
  };
}

/** `cancelled`: the caller no longer waits. */
export type Ending = 'timeout' | 'cancelled';

/** Time slices with a deadline. */
export interface TimeSlices {
  /** Null, or why the work must end. Call it between steps of about a millisecond. */
  next(): Ending | null | Promise<Ending | null>;
  run<T>(steps: Steps<T>): Promise<Result<T, Ending>>;
  /** The work's result or the reason to end, whichever comes first. */
  within<T>(work: Promise<Result<T, Ending>>): Promise<Result<T, Ending>>;
  /** Aborts work that runs elsewhere, such as in the database. */
  readonly signal: AbortSignal;
}

/** The timeout begins with this call. */
export function makeTimeSlices(timeoutMs: number, caller: AbortSignal | undefined): TimeSlices {
  const deadline = performance.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = caller === undefined ? timeout : AbortSignal.any([caller, timeout]);
  const endSlice = makeEndSlice(SLICE_MS);
  const findEnding = (): Ending | null => {
    if (caller?.aborted) return 'cancelled';
    return performance.now() >= deadline ? 'timeout' : null;
  };
  const next: TimeSlices['next'] = () => findEnding() ?? endSlice()?.then(findEnding) ?? null;
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
