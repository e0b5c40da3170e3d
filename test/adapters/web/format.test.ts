/** Spans of time in words. */
import { expect, test } from 'vitest';
import { formatSpan } from '#console/parts/display/format.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:59:30Z', /^just now$/],
  ['2026-11-22T11:57:00Z', /^3 min/],
  ['2026-11-22T09:00:00Z', /^3 h/],
  ['2026-11-20T11:00:00Z', /^2 days ago$/],
  ['2026-09-01T00:00:00Z', /^2 mo/],
  ['2024-01-01T00:00:00Z', /^2 y/],
  ['2026-11-22T12:05:00Z', /^in 5 min/],
])('%s', (instant, expected) => {
  expect(formatSpan(Date.parse(instant), NOW)).toMatch(expected);
});
