/** The parts of a filter text that are underlined. */
import { expect, test } from 'vitest';
import { splitAtFaults } from '#console/parts/filter-text/split-at-faults.ts';

const marked = (text: string, faults: readonly { start: number; end: number }[]) =>
  splitAtFaults(text, faults)
    .map(({ piece, isFaulty }) => (isFaulty ? `[${piece}]` : piece))
    .join('');

test.each([
  ['no faults', 'status:online', [], 'status:online'],
  ['one', 'status:onlin', [{ start: 7, end: 12 }], 'status:[onlin]'],
  [
    'two, out of order',
    'a:1 b:2',
    [
      { start: 4, end: 5 },
      { start: 0, end: 1 },
    ],
    '[a]:1 [b]:2',
  ],
  [
    'one within another',
    'abcdef',
    [
      { start: 0, end: 6 },
      { start: 2, end: 3 },
    ],
    '[abcdef]',
  ],
  [
    'two that overlap',
    'abcdef',
    [
      { start: 0, end: 3 },
      { start: 2, end: 5 },
    ],
    '[abc][de]f',
  ],
  ['between two letters', 'abc', [{ start: 1, end: 1 }], 'a[b]c'],
  ['behind the end', 'abc', [{ start: 3, end: 3 }], 'abc'],
])('faults are marked: %s', (_, text, faults, expected) => {
  expect(marked(text, faults)).toBe(expected);
});
