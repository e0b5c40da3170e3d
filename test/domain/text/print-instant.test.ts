/** Instants are written as JavaScript writes them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';

test.each([
  0,
  -1,
  1,
  59_999,
  60_000,
  86_399_999,
  86_400_000,
  -86_400_000,
  Date.UTC(2024, 1, 29, 23, 59, 59, 999),
  Date.UTC(9999, 11, 31, 23, 59, 59, 999),
  -62_135_596_800_000,
  8.64e15,
  -8.64e15,
  1.9,
  -1.9,
])('%d is printed as by JavaScript', (instant) => {
  expect(printInstant(instant)).toBe(new Date(instant).toISOString());
});

test('any instant is printed as by JavaScript', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(printInstant(date.getTime())).toBe(date.toISOString());
    }),
  );
});

test('a number that is not an instant is refused', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => printInstant(value)).toThrow(RangeError);
  }
});

test('null stays null', () => {
  expect(printInstantOrNull(null)).toBeNull();
  expect(printInstantOrNull(0)).toBe('1970-01-01T00:00:00.000Z');
});
