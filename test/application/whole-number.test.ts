import { expect, test } from 'vitest';
import { readWholeNumber } from '#application/input-values.ts';
import { err, ok } from '#domain/result.ts';

const NUMBERS = { min: 1, max: 50, fallback: 20 };

test.each([
  [undefined, 20],
  [1, 1],
  [50, 50],
])('%j is read as %d', (sent, limit) => {
  expect(readWholeNumber('limit', sent, NUMBERS)).toStrictEqual(ok(limit));
});

test.each([0, -1, 51, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '20', '', null])(
  '%j is refused with the range',
  (sent) => {
    const message = 'limit must be a whole number from 1 to 50';
    expect(readWholeNumber('limit', sent, NUMBERS)).toStrictEqual(
      err({ path: 'limit', code: 'out_of_range', message }),
    );
  },
);
