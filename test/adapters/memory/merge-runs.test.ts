import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeRuns } from '#adapters/memory/reads/device-reader.ts';

const ascending = (a: number, b: number) => a - b;

test('merges any number of sorted runs into one', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer())), (lists) => {
      const runs = lists.map((list) => list.toSorted(ascending));
      const merged: number[] = [];
      const items = mergeRuns(runs, ascending);
      for (let next = items.next(); !next.done; next = items.next()) merged.push(next.value);
      expect(merged).toStrictEqual(lists.flat().sort(ascending));
    }),
  );
});

test('compares no further than it is asked', () => {
  let comparisons = 0;
  const run = Array.from({ length: 1_000 }, (_, i) => i);
  const items = mergeRuns([run, run, run, run], (a, b) => {
    comparisons++;
    return a - b;
  });
  expect(items.next().value).toBe(0);
  expect(comparisons).toBeLessThan(10);
});
