/** Runs long work in slices, so other work on the thread proceeds in between. */
import type { Steps } from '#domain/steps.ts';

/** Milliseconds. */
const SLICE_MS = 5;

/** Returns or throws what the steps do. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    await letOthersGoFirst();
    sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Resolves after everything that was ready has run. */
export function letOthersGoFirst(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/** Call between small steps; it pauses once the slice is used up. */
export type EndSlice = () => Promise<void> | undefined;

/** `sliceMs`: milliseconds of uninterrupted work. */
export function makeEndSlice(sliceMs: number): EndSlice {
  let sliceEnd = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return letOthersGoFirst().then(() => {
      sliceEnd = performance.now() + sliceMs;
    });
  };
}
