import { makeYieldToEventLoop, type YieldToEventLoop } from './yield-to-event-loop.ts';

/** A run this short is sorted without yielding. */
const RUN_LENGTH = 512;

/** Sorts many items without blocking the process for longer than a slice. `compare` must never return 0. */
export async function sortInSlices<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  const yieldToEventLoop = makeYieldToEventLoop();
  let runs: (readonly Item[])[] = [];
  for (let from = 0; from < items.length; from += RUN_LENGTH) {
    runs.push(items.slice(from, from + RUN_LENGTH).sort(compare));
    await yieldToEventLoop();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(await mergeRuns(runs[i] ?? [], runs[i + 1] ?? [], compare, yieldToEventLoop));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeRuns<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
  yieldToEventLoop: YieldToEventLoop,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  const rest = right[Symbol.iterator]();
  let next = rest.next();
  for (const item of left) {
    while (!next.done && compare(next.value, item) < 0) {
      merged.push(next.value);
      next = rest.next();
    }
    merged.push(item);
    // Checking the clock for each item would cost more than merging it.
    if (merged.length % RUN_LENGTH === 0) await yieldToEventLoop();
  }
  for (; !next.done; next = rest.next()) merged.push(next.value);
  return merged;
}
