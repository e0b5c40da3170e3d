import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printInstant } from '#domain/export/print-instant.ts';

const YEAR_0 = Date.parse('0000-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');

/** As far as an offset leads out of the years that can be written. */
const YEAR_10000 = Date.parse('9999-12-31T23:59:59.999-15:59');

test.each([YEAR_0, -1, 0, 1, 86_399_999, 86_400_000, YEAR_9999, YEAR_10000])(
  'prints %i as a date does',
  (instant) => {
    expect(printInstant(instant)).toBe(new Date(instant).toISOString());
  },
);

test('prints any instant as a date does, in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: YEAR_0, max: YEAR_9999 }), (instant) => {
      expect(printInstant(instant)).toBe(new Date(instant).toISOString());
    }),
  );
});
