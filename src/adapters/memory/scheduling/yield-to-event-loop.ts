/** Keeps long work on the one thread from holding everything else up. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Work goes on for at most so long before others get their turn, in milliseconds. Half of the ten that nobody
 * notices: what a slice has found is looked at in the same turn.
 */
export const SLICE_MS = 5;

/** Called between small steps of long work; now and then it lets everything else run first. */
export type Breathe = () => Promise<void> | undefined;

export function makeBreather(): Breathe {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return nextTurn().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
