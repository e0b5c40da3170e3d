/** Waits for what other processes do. */
import { setTimeout } from 'node:timers/promises';

/** How often is looked, in milliseconds. */
const INTERVAL_MS = 5;

/** Looks again and again until it is so; the test's own time limit is the end of patience. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(INTERVAL_MS);
}
