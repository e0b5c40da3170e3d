/** Keeps long work on the one thread from blocking everything else. */
import { type EndSlice, makeEndSlice } from '#application/in-slices.ts';

/**
 * How long work may run before it yields, in milliseconds. Half of the ten that nobody notices, because the results of
 * a slice are processed before the event loop continues.
 */
export const SLICE_MS = 5;

/** Called between small steps of long work; once a slice is used up, it lets everything else run first. */
export type YieldToEventLoop = EndSlice;

export function makeYieldToEventLoop(): YieldToEventLoop {
  return makeEndSlice(SLICE_MS);
}
