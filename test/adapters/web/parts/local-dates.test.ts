import { expect, test } from 'vitest';
import {
  dayOf,
  fromLocalField,
  isDay,
  startOfDay,
  toLocalField,
} from '#console/parts/condition/local-dates.ts';

test.each(['2026-02-10T09:30:00.000Z', '2026-07-10T23:59:59.123Z', '2024-02-29T00:00:07.000Z'])(
  '%s comes back from a date field as it was',
  (instant) => {
    expect(fromLocalField(toLocalField(instant))).toBe(instant);
  },
);

test('a day becomes the instant at which it begins for the reader, and back', () => {
  expect(isDay('2026-02-10')).toBe(true);
  const instant = startOfDay('2026-02-10');
  expect(isDay(instant ?? '')).toBe(false);
  expect(dayOf(instant ?? '')).toBe('2026-02-10');
});

test('text that is no date gives no date', () => {
  expect(toLocalField('tomorrow')).toBe('');
  expect(fromLocalField('')).toBeUndefined();
  expect(dayOf('tomorrow')).toBeUndefined();
});
