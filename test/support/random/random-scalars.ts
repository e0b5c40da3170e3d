/** Random numbers, instants and textual dates, mostly the few at which comparisons go wrong. */
import fc from 'fast-check';
import {
  CALENDAR_END_MS,
  CALENDAR_START_MS,
  startOfSpan,
  type TimeSpan,
} from '#domain/filter/values/time-span.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

const NUMBERS: readonly number[] = [
  ...[
    0,
    -0,
    1,
    2,
    4,
    5,
    8,
    16,
    0.07,
    100,
    -1,
    0.5,
    1.5,
    -1.5,
    0.1,
    0.2,
    0.1 + 0.2,
    0.3,
    99.9,
    1 + Number.EPSILON,
  ],
  ...[
    1e-7,
    5e-324,
    2.2250738585072014e-308,
    1e15,
    1e15 + 0.5,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53 - 1,
    1 - 2 ** 53,
  ],
];

/** Any number that can be stored: finite, and safe if it is an integer. */
export const randomNumber: fc.Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3000, max: 3000 }).map((n) => n / 100) },
  {
    weight: 1,
    arbitrary: fc.double({ min: -(2 ** 53 - 1), max: 2 ** 53 - 1, noNaN: true }),
  },
);

/** The next number up (1) or down (-1). */
export function nextNumber(number: number, direction: 1 | -1): number {
  if (number === 0) return direction * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(number > 0 ? direction : -direction));
  return view.getFloat64(0);
}

/** The instants at which filters are evaluated. The instants of devices are near them. */
export const EVALUATION_INSTANTS: readonly EpochMs[] = [
  '2026-02-10T08:00:00.000Z',
  '2026-03-31T23:59:59.999Z',
  '2024-02-29T00:00:00.000Z',
  '2026-03-01T00:00:00.001Z',
  '0001-01-15T12:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
].map(Date.parse);

/** Spans to look back, for conditions and for instants of devices. */
export const randomSpan: fc.Arbitrary<TimeSpan> = fc.oneof(
  fc.record({
    amount: fc.constantFrom(1, 2, 12, 13, 24_000, 1e9, 1e300),
    unit: fc.constant('months' as const),
  }),
  fc.record({
    amount: fc.constantFrom(1, 1.5, 7, 24, 30, 60, 1 / 3, 0.0001, 2 ** -20, 1e7, 1e300, 5e-324),
    unit: fc.constantFrom('minutes', 'hours', 'days', 'weeks'),
  }),
  fc.record({
    amount: fc.integer({ min: 1, max: 40 }),
    unit: fc.constantFrom('minutes', 'hours', 'days', 'weeks', 'months'),
  }),
);

/** Any instant that can be stored: whole milliseconds of the years 1 to 9999. */
export const randomInstant: fc.Arbitrary<EpochMs> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: atSpanBefore() },
      { weight: 3, arbitrary: fc.constantFrom(...EVALUATION_INSTANTS).map((at) => at - (at % DAY_MS)) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...EVALUATION_INSTANTS), fc.integer({ min: -30, max: 30 }))
          .map(([at, days]) => at - days * DAY_MS),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(0, CALENDAR_START_MS, CALENDAR_END_MS - DAY_MS, CALENDAR_END_MS - 1),
      },
      { weight: 1, arbitrary: fc.integer({ min: CALENDAR_START_MS, max: CALENDAR_END_MS - 1 }) },
    ),
    fc.constantFrom(0, 0, 0, 1, -1),
  )
  .map(([instant, step]) => Math.min(Math.max(instant + step, CALENDAR_START_MS), CALENDAR_END_MS - 1));

type DateForm = (instant: EpochMs) => string;

const DATE_FORMS: readonly DateForm[] = [
  (instant) => iso(instant).slice(0, 10),
  iso,
  (instant) => iso(instant).slice(0, 16),
  (instant) => `${iso(instant).slice(0, 19)}Z`,
  (instant) => iso(instant).slice(0, 22),
  withOffset(9 * 60 + 30, '+09:30'),
  withOffset(-15 * 60 - 59, '-15:59'),
  withOffset(0, '-00:00'),
];

/** A text for the instant or for its day. */
export function dateTextOf(instants: fc.Arbitrary<EpochMs>): fc.Arbitrary<string> {
  return fc.tuple(instants, fc.constantFrom(...DATE_FORMS)).map(([instant, form]) => form(instant));
}

/** Textual dates by the grammar of the contract, including those that an offset moves out of the calendar. */
export const randomDateText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: dateTextOf(randomInstant) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '0001-01-01',
        '0001-01-01T00:00:00+15:59',
        '0001-01-01T05:00+10:00',
        '0001-01-01T00:00:00.001+00:01',
      ],
      ...['9999-12-31', '9999-12-31T23:59:59.999-15:59', '9999-12-31T20:00-10:00', '9999-12-31T23:59-00:01'],
    ),
  },
);

/** Texts that are almost dates. */
export const FAULTY_DATES: readonly string[] = [
  ...[
    '2026-02-30',
    '2026-13-01',
    '0000-01-01',
    '2026-2-1',
    '20260210',
    '2026-02-10T24:00',
    '2026-02-10T08:00:60Z',
  ],
  ...['2026-02-10 08:00', '2026-02-10t08:00z', 'now', 'epoch', 'infinity', '', '+010000-01-01T00:00:00.000Z'],
];

/** Instants at the start of a span that ends at an instant of evaluation. */
function atSpanBefore(): fc.Arbitrary<EpochMs> {
  return fc
    .tuple(fc.constantFrom(...EVALUATION_INSTANTS), randomSpan)
    .map(([at, span]) => startOfSpan(span, at) ?? CALENDAR_START_MS);
}

/** The same instant with an offset of so many minutes, if the calendar has its local time. */
function withOffset(minutes: number, zone: string): DateForm {
  return (instant) => {
    const shown = instant + minutes * 60_000;
    return shown < CALENDAR_START_MS || shown >= CALENDAR_END_MS
      ? iso(instant)
      : iso(shown).replace('Z', zone);
  };
}

function iso(instant: EpochMs): string {
  return new Date(instant).toISOString();
}
