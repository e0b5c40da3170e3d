/** Long work on the one thread, in slices between which everything else runs. */
import type { Steps } from '#domain/steps.ts';

/** How long a slice is, in milliseconds. */
const SLICE_MS = 5;

/** Runs the steps; returns or throws what they do. What is done before they are is done in one slice. */
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

/** Resolves once everything else that was ready has had its turn. */
export function letOthersGoFirst(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => resolve());
  });
}

/** Called between small steps of long work; once a slice is used up, it lets everything else run first. */
export type EndSlice = () => Promise<void> | undefined;

/** `sliceMs`: how long the work may go on at a stretch, in milliseconds. */
export function makeEndSlice(sliceMs: number): EndSlice {
  let sliceEnd = performance.now() + sliceMs;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return letOthersGoFirst().then(() => {
      sliceEnd = performance.now() + sliceMs;
    });
  };
}
