/** Numbers, instants and spans of time, in the reader's own language. */
import { afterAll, expect, test, vi } from 'vitest';

async function formatsOf(...languages: readonly string[]) {
  vi.stubGlobal('navigator', { languages });
  vi.resetModules();
  return import('#console/parts/display/format.ts');
}

afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const { formatDateTime, formatExact, formatNumber, formatPercent, formatSpan, formatUtc } =
  await formatsOf('en-GB');

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['2026-11-22T11:59:30Z', 'now'],
  ['2026-11-22T11:57:00Z', '3 min ago'],
  ['2026-11-22T09:00:00Z', '3 hr ago'],
  ['2026-11-20T11:00:00Z', '2 days ago'],
  ['2026-09-01T00:00:00Z', '2 mo ago'],
  ['2024-01-01T00:00:00Z', '2 yr ago'],
  ['2026-11-22T12:05:00Z', 'in 5 min'],
])('%s is shown as %s', (instant, expected) => {
  expect(formatSpan(Date.parse(instant), NOW)).toBe(expected);
});

test('an instant is shown with the day before the month, and with 24 hours', () => {
  const instant = new Date(2026, 10, 21, 22, 4, 31);
  expect(formatDateTime(instant)).toBe('21 Nov 2026, 22:04');
  expect(formatUtc(new Date('2026-11-21T22:04:31Z'))).toBe('21 Nov 2026, 22:04:31 UTC');
});

test('a number is shown with commas between thousands', () => {
  expect(formatNumber(48_201)).toBe('48,201');
});

test.each([
  [48_201.123456, '48,201.123456'],
  [0.1, '0.1'],
])('the stored number %s is shown exactly', (value, expected) => {
  expect(formatExact(value)).toBe(expected);
});

test.each([
  [0, '0%'],
  [12.7, '12.7%'],
  [80.8, '80.8%'],
  [80.04, '80.04%'],
  [99.96, '99.96%'],
  [100, '100%'],
])('%s of a hundred is shown as %s, as in a filter or an export', (share, expected) => {
  expect(formatPercent(share)).toBe(expected);
});

test.each([
  ['ar-EG', '٤٨٬٢٠١', '٨٠٫٨٪', 'قبل ٣ دقائق', '٢١‏/١١‏/٢٠٢٦، ١٠:٠٤ م'],
  ['de-DE', '48.201', '80,8 %', 'vor 3 Min.', '21.11.2026, 22:04'],
  ['tr-TR', '48.201', '%80,8', '3 dk. önce', '21 Kas 2026 22:04'],
  ['en-US@posix', '48,201', '80.8%', '3 min. ago', 'Nov 21, 2026, 10:04 PM'],
])(
  'numbers, shares, spans and instants are shown in %s',
  async (language, number, percent, span, instant) => {
    const formats = await formatsOf(language, 'en-US');
    expect(formats.formatNumber(48_201)).toBe(number);
    // Some languages put marks or hard spaces around the sign.
    expect(formats.formatPercent(80.8).replace('\u061c', '').replace('\u00a0', ' ')).toBe(percent);
    expect(formats.formatSpan(NOW - 3 * 60_000, NOW)).toBe(span);
    expect(formats.formatDateTime(new Date(2026, 10, 21, 22, 4)).replaceAll('\u202f', ' ')).toBe(instant);
  },
);
