/** Keeps long work on the one thread from blocking everything else. */
import { setImmediate as nextIteration } from 'node:timers/promises';

/**
 * How long work may run before it yields, in milliseconds. Half of the ten that nobody notices, because the results of
 * a slice are processed before the event loop continues.
 */
export const SLICE_MS = 5;

/** Called between small steps of long work; once a slice is used up, it lets everything else run first. */
export type YieldToEventLoop = () => Promise<void> | undefined;

export function makeYieldToEventLoop(): YieldToEventLoop {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return nextIteration().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
