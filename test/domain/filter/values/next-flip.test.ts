/** The next flip against evaluation: the answer stays the same until the flip, and changes at it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextFlip } from '#domain/filter/values/next-flip.ts';
import { isWithin } from '#domain/filter/values/ranges.ts';
import { type RelativePredicate, rangesAt } from '#domain/filter/values/relative-instants.ts';
import { CALENDAR_END_MS, TIME_UNITS } from '#domain/filter/values/time-span.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '#domain/time.ts';

const RUNS = Number(process.env.NEXT_FLIP_RUNS ?? 300);

const holds = (predicate: RelativePredicate, value: EpochMs, at: EpochMs) =>
  isWithin(rangesAt(predicate, at), value);

/** Every flip up to `end`. */
function flipsOf(predicate: RelativePredicate, value: EpochMs, from: EpochMs, end: EpochMs): string[] {
  const flips: string[] = [];
  for (
    let at = nextFlip(predicate, value, from);
    at !== null && at < end;
    at = nextFlip(predicate, value, at)
  ) {
    flips.push(new Date(at).toISOString());
  }
  return flips;
}

const months = (amount: number): RelativePredicate => ({
  kind: 'withinLast',
  span: { amount, unit: 'months' },
});

describe('nextFlip', () => {
  test.each<[string, number, string, readonly string[]]>([
    ['a day that both months have', 1, '2026-01-15T12:00:00.000Z', ['2026-02-15T12:00:00.001Z']],
    ['a day that the later month lacks', 1, '2026-01-30T12:00:00.000Z', ['2026-03-01T00:00:00.000Z']],
    [
      'the last day of February',
      1,
      '2026-02-28T12:00:00.000Z',
      [
        '2026-03-28T12:00:00.001Z',
        '2026-03-29T00:00:00.000Z',
        '2026-03-29T12:00:00.001Z',
        '2026-03-30T00:00:00.000Z',
        '2026-03-30T12:00:00.001Z',
        '2026-03-31T00:00:00.000Z',
        '2026-03-31T12:00:00.001Z',
      ],
    ],
    ['the last millisecond of February', 1, '2026-02-28T23:59:59.999Z', ['2026-04-01T00:00:00.000Z']],
    ['28 February of a leap year', 1, '2024-02-28T12:00:00.000Z', ['2024-03-28T12:00:00.001Z']],
    ['a leap day, a year later', 12, '2024-02-29T12:00:00.000Z', ['2025-03-01T00:00:00.000Z']],
    ['a leap day, four years later', 48, '2024-02-29T12:00:00.000Z', ['2028-02-29T12:00:00.001Z']],
    ['the first century', 1, '0050-01-15T12:00:00.000Z', ['0050-02-15T12:00:00.001Z']],
    ['no end in this calendar', 1e9, '2026-01-15T12:00:00.000Z', []],
    ['no end in any calendar', Number.MAX_VALUE, '2026-01-31T12:00:00.000Z', []],
  ])('finds the flips of a span of months from %s', (_what, amount, value, flips) => {
    const from = Date.parse(value);
    expect(flipsOf(months(amount), from, from, CALENDAR_END_MS)).toStrictEqual(flips);
  });

  test('keeps a value before the calendar until the span begins within the calendar', () => {
    const value = Date.parse('0000-12-31T20:00:00.000Z');
    for (const unit of ['days', 'months'] as const) {
      const predicate: RelativePredicate = { kind: 'withinLast', span: { amount: 1, unit } };
      const flip = nextFlip(predicate, value, value);
      expect([
        flip === null,
        holds(predicate, value, (flip ?? 0) - 1),
        holds(predicate, value, flip ?? 0),
      ]).toEqual([false, true, false]);
    }
  });

  const start = Date.parse('2023-11-01T00:00:00.000Z');
  const end = Date.parse('2028-06-01T00:00:00.000Z');
  // Mistakes are likely at the ends of months and of days.
  const instants = fc.oneof(
    fc.integer({ min: start, max: end }),
    fc
      .tuple(
        fc.integer({ min: 0, max: 54 }),
        fc.integer({ min: -5, max: 3 }),
        fc.integer({ min: -2, max: 2 }),
      )
      .map(([month, day, ms]) => Date.UTC(2023, 11 + month, 1 + day) + ms),
    fc
      .tuple(
        fc.integer({ min: 0, max: 54 }),
        fc.integer({ min: -5, max: 3 }),
        fc.integer({ min: 0, max: 24 }),
      )
      .map(([month, day, hour]) => Date.UTC(2023, 11 + month, 1 + day, hour)),
  );
  const days = fc.oneof(
    fc.integer({ min: -40, max: 400 }),
    fc.double({ min: -40, max: 400, noNaN: true }),
    fc.constantFrom(0.5, 0.07, 1 / 3, 1e-9, 1e300, -1e300, Number.MAX_VALUE),
  );
  const bound = fc.option(days);
  const predicates: fc.Arbitrary<RelativePredicate> = fc.oneof(
    fc.integer({ min: 1, max: 30 }).map(months),
    fc
      .tuple(
        fc.oneof(fc.integer({ min: 1, max: 900 }), fc.double({ min: 1e-6, max: 900, noNaN: true })),
        fc.constantFrom(...TIME_UNITS.filter((unit) => unit !== 'months')),
      )
      .map(([amount, unit]) => ({ kind: 'withinLast' as const, span: { amount, unit } })),
    fc
      .array(days, { maxLength: 4 })
      .map((values) => ({ kind: 'elapsedDaysIn' as const, values: new Set(values) })),
    fc.tuple(bound, fc.boolean(), bound, fc.boolean()).map(([min, isMinIncluded, max, isMaxIncluded]) => ({
      kind: 'elapsedDaysRange' as const,
      range: { min, isMinIncluded, max, isMaxIncluded },
    })),
  );

  test('is the first instant at which the answer changes', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        predicates,
        instants,
        instants,
        fc.array(fraction, { minLength: 8 }),
        (predicate, value, at, looks) => {
          const now = holds(predicate, value, at);
          const flip = nextFlip(predicate, value, at);
          const last = flip ?? at + 4_000 * DAY_MS;
          const between = looks.map((share) => Math.floor(at + share * (last - 1 - at)));
          // Spans of months flip by hours at month ends, so each hour near the value is checked as well.
          for (let hour = 0; hour < 24 * 33; hour++)
            between.push(at + hour * HOUR_MS, last - 1 - hour * HOUR_MS);
          for (const instant of between) {
            if (instant >= at && instant < last) expect(holds(predicate, value, instant)).toBe(now);
          }
          if (flip !== null) {
            expect(flip).toBeGreaterThan(at);
            expect(holds(predicate, value, flip)).toBe(!now);
          }
        },
      ),
      { numRuns: RUNS, seed: 20261124 },
    );
  });

  test('finds every change of the answer around the ends of months', () => {
    const monthEnds = fc
      .tuple(
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom(-3, -2, -1, 0),
        fc.constantFrom(0, 1, 12 * HOUR_MS, DAY_MS - 1),
      )
      .map(([month, day, time]) => Date.UTC(2023, month, 1 + day) + time);
    fc.assert(
      fc.property(monthEnds, fc.integer({ min: 1, max: 15 }), (value, amount) => {
        const predicate = months(amount);
        const flips: EpochMs[] = [];
        for (let at = nextFlip(predicate, value, value); at !== null; at = nextFlip(predicate, value, at))
          flips.push(at);
        // Every six hours, and a millisecond about each, around the month.
        const target = new Date(value).setUTCMonth(new Date(value).getUTCMonth() + amount, 1);
        for (let at = target - 5 * DAY_MS; at < target + 40 * DAY_MS; at += 6 * HOUR_MS) {
          for (const instant of [at - 1, at, at + 1, at + 2]) {
            const passed = flips.filter((flip) => flip <= instant).length;
            if (instant >= value) expect(holds(predicate, value, instant)).toBe(passed % 2 === 0);
          }
        }
      }),
      { numRuns: RUNS, seed: 20261124 },
    );
  });
});
