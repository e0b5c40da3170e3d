/** Spans back in time and elapsed days, as ranges of instants (Contract: §4). */
import { expect, test } from 'vitest';
import { type InstantRange, isInRange, isWithin, mergeRanges } from '#domain/filter/values/ranges.ts';
import { instantsOfElapsedDays, instantsOfElapsedRange } from '#domain/filter/values/relative-instants.ts';
import { CALENDAR_START_MS, startOfSpan, type TimeUnit } from '#domain/filter/values/time-span.ts';
import { DAY_MS } from '#domain/time.ts';

/** Elapsed days count back from here. */
const NOW = 10 * DAY_MS;

function startFrom(at: string, amount: number, unit: TimeUnit): string | null {
  const start = startOfSpan({ amount, unit }, Date.parse(at));
  return start === null ? null : new Date(start).toISOString();
}

test.each<[string, number, TimeUnit, string | null]>([
  ['2026-03-31T12:00:00.000Z', 1, 'minutes', '2026-03-31T11:59:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 1.5, 'hours', '2026-03-31T10:30:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 1, 'days', '2026-03-30T12:00:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 0.5, 'weeks', '2026-03-28T00:00:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 1, 'months', '2026-02-28T12:00:00.000Z'],
  ['2026-03-30T12:00:00.000Z', 1, 'months', '2026-02-28T12:00:00.000Z'],
  ['2026-03-29T12:00:00.000Z', 1, 'months', '2026-02-28T12:00:00.000Z'],
  ['2026-03-28T12:00:00.000Z', 1, 'months', '2026-02-28T12:00:00.000Z'],
  ['2024-03-31T12:00:00.000Z', 1, 'months', '2024-02-29T12:00:00.000Z'],
  ['2024-02-29T12:00:00.000Z', 12, 'months', '2023-02-28T12:00:00.000Z'],
  ['2024-02-29T12:00:00.000Z', 48, 'months', '2020-02-29T12:00:00.000Z'],
  ['2026-01-31T12:00:00.000Z', 2, 'months', '2025-11-30T12:00:00.000Z'],
  ['2026-01-15T23:59:59.999Z', 1, 'months', '2025-12-15T23:59:59.999Z'],
  ['2026-03-31T12:00:00.000Z', 24_302, 'months', '0001-01-31T12:00:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 24_303, 'months', null],
  ['2026-03-31T12:00:00.000Z', 1e9, 'months', null],
  ['2026-03-31T12:00:00.000Z', Number.MAX_VALUE, 'months', null],
  ['2026-03-31T12:00:00.000Z', 1e300, 'days', null],
  ['2026-03-31T12:00:00.000Z', Number.MAX_VALUE, 'weeks', null],
  // A span that ends within a millisecond begins with the next whole one.
  ['2026-03-31T12:00:00.000Z', 0.000_001, 'minutes', '2026-03-31T12:00:00.000Z'],
  ['2026-03-31T12:00:00.000Z', 0.000_02, 'minutes', '2026-03-31T11:59:59.999Z'],
])('from %s, %d %s reach back to %s', (at, amount, unit, start) => {
  expect(startFrom(at, amount, unit)).toBe(start);
});

test('the calendar begins with year 1', () => {
  expect(startOfSpan({ amount: 1, unit: 'days' }, CALENDAR_START_MS + DAY_MS)).toBe(CALENDAR_START_MS);
  expect(startOfSpan({ amount: 1, unit: 'days' }, CALENDAR_START_MS + DAY_MS - 1)).toBeNull();
});

test.each([
  [7, [{ from: -8 * DAY_MS + 1, to: -7 * DAY_MS + 1 }]],
  [0, [{ from: -DAY_MS + 1, to: 1 }]],
  [-1, [{ from: 1, to: DAY_MS + 1 }]],
  [3.5, [{ from: -3.5 * DAY_MS, to: -3.5 * DAY_MS + 1 }]],
  [1 / 3, [{ from: -DAY_MS / 3, to: -DAY_MS / 3 + 1 }]],
  [1e-9, []],
])('%d days have elapsed from %j', (days, ranges) => {
  expect(instantsOfElapsedDays(new Set([days]), 0)).toStrictEqual(ranges);
});

test.each<[number | null, boolean, number | null, boolean, InstantRange]>([
  [7, false, null, false, { from: null, to: -7 * DAY_MS }],
  [7, true, null, false, { from: null, to: -7 * DAY_MS + 1 }],
  [null, false, 7, false, { from: -7 * DAY_MS + 1, to: null }],
  [null, false, 7, true, { from: -7 * DAY_MS, to: null }],
  [1, true, 2, true, { from: -2 * DAY_MS, to: -DAY_MS + 1 }],
  // No whole millisecond lies at these bounds, so whether they are included makes no difference.
  [1e-9, false, null, false, { from: null, to: 0 }],
  [1e-9, true, null, false, { from: null, to: 0 }],
  [null, false, 1e-9, false, { from: 0, to: null }],
  [null, false, 1e-9, true, { from: 0, to: null }],
])(
  'days from %d (included: %s) to %d (included: %s) have elapsed since %j from now',
  (min, isMinIncluded, max, isMaxIncluded, range) => {
    const { from, to } = instantsOfElapsedRange({ min, isMinIncluded, max, isMaxIncluded }, NOW);
    expect({ from: from === null ? null : from - NOW, to: to === null ? null : to - NOW }).toStrictEqual(
      range,
    );
  },
);

test.each<[string, readonly InstantRange[], readonly InstantRange[]]>([
  ['none', [], []],
  ['an empty one', [{ from: 5, to: 5 }], []],
  [
    'two apart, out of order',
    [
      { from: 7, to: 9 },
      { from: 1, to: 3 },
    ],
    [
      { from: 1, to: 3 },
      { from: 7, to: 9 },
    ],
  ],
  [
    'two that touch',
    [
      { from: 1, to: 3 },
      { from: 3, to: 5 },
    ],
    [{ from: 1, to: 5 }],
  ],
  [
    'one inside another',
    [
      { from: 1, to: 9 },
      { from: 3, to: 5 },
    ],
    [{ from: 1, to: 9 }],
  ],
  [
    'one without a beginning',
    [
      { from: 3, to: 5 },
      { from: null, to: 4 },
    ],
    [{ from: null, to: 5 }],
  ],
  [
    'one without an end',
    [
      { from: 3, to: null },
      { from: 4, to: 5 },
      { from: 9, to: 10 },
    ],
    [{ from: 3, to: null }],
  ],
  [
    'everything',
    [
      { from: null, to: 0 },
      { from: 0, to: null },
    ],
    [{ from: null, to: null }],
  ],
])('merges ranges: %s', (_what, ranges, merged) => {
  expect(mergeRanges(ranges)).toStrictEqual(merged);
});

test('a range of instants includes its beginning and excludes its end', () => {
  const ranges = [
    { from: 1, to: 3 },
    { from: 7, to: null },
  ];
  expect([0, 1, 2, 3, 6, 7, 1e15].filter((instant) => isWithin(ranges, instant))).toStrictEqual([
    1, 2, 7, 1e15,
  ]);
});

test('a range of numbers includes an end only if it says so', () => {
  const open = { min: 1, isMinIncluded: false, max: 3, isMaxIncluded: false };
  const closed = { min: 1, isMinIncluded: true, max: 3, isMaxIncluded: true };
  const unbounded = { min: null, isMinIncluded: false, max: null, isMaxIncluded: false };
  const inside = (range: typeof open | typeof unbounded) =>
    [0, 1, 2, 3, 4].filter((n) => isInRange(range, n));
  expect([open, closed, unbounded].map(inside)).toStrictEqual([[2], [1, 2, 3], [0, 1, 2, 3, 4]]);
});
