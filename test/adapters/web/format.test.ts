/** Numbers, instants and spans of time, independent of the machine's language. */
import { expect, test } from 'vitest';
import {
  formatDateTime,
  formatNumber,
  formatPercent,
  formatSpan,
  formatUtc,
} from '#console/parts/display/format.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:59:30Z', 'just now'],
  ['2026-11-22T11:57:00Z', '3 min ago'],
  ['2026-11-22T09:00:00Z', '3 hr ago'],
  ['2026-11-20T11:00:00Z', '2 days ago'],
  ['2026-09-01T00:00:00Z', '2 mo ago'],
  ['2024-01-01T00:00:00Z', '2 yr ago'],
  ['2026-11-22T12:05:00Z', 'in 5 min'],
])('%s', (instant, expected) => {
  expect(formatSpan(Date.parse(instant), NOW)).toBe(expected);
});

test('an instant has the day before the month, and 24 hours', () => {
  const instant = new Date(2026, 10, 21, 22, 4, 31);
  expect(formatDateTime(instant)).toBe('21 Nov 2026, 22:04');
  expect(formatUtc(new Date('2026-11-21T22:04:31Z'))).toBe('21 Nov 2026, 22:04:31 UTC');
});

test('a number has commas between thousands', () => {
  expect(formatNumber(48_201)).toBe('48,201');
});

test.each([
  [0, '0 %'],
  [12.7, '12.7 %'],
  [80.8, '80.8 %'],
  [80.04, '80.04 %'],
  [99.96, '99.96 %'],
  [100, '100 %'],
])('%s of a hundred is %s, as in a filter or an export', (share, expected) => {
  expect(formatPercent(share)).toBe(expected);
});
