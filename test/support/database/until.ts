/** Waits for an effect of another process. */
import { setTimeout } from 'node:timers/promises';

/** The time between two checks, in milliseconds. */
const INTERVAL_MS = 5;

/** Checks until `isSo` resolves to true. Only the time limit of the test ends the wait. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(INTERVAL_MS);
}
