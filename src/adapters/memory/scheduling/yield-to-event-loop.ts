import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';

/**
 * The longest that work may run before it yields, in milliseconds. A pause of ten goes unnoticed; half of it remains
 * for processing the results of a slice before the event loop continues.
 */
export const SLICE_MS = 5;

/** Called between small steps of long work. Once a slice is used up, it yields to the event loop. */
export type YieldToEventLoop = EndSlice;

export function makeYieldToEventLoop(): YieldToEventLoop {
  return makeEndSlice(SLICE_MS);
}
