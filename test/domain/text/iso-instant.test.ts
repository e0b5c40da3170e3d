import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';

describe('a date without a time', () => {
  test.each([
    ['1970-01-01', 0],
    ['1969-12-31', -86_400_000],
    ['2026-02-10', 1_770_681_600_000],
    ['2024-02-29', 1_709_164_800_000],
    ['2000-02-29', 951_782_400_000],
    ['2023-02-28', 1_677_542_400_000],
    ['2026-04-30', 1_777_507_200_000],
    ['2026-12-31', 1_798_675_200_000],
    ['0001-01-01', -62_135_596_800_000],
    ['0004-02-29', -62_035_891_200_000],
    ['0099-12-31', -59_011_545_600_000],
    ['0100-01-01', -59_011_459_200_000],
    ['9999-12-31', 253_402_214_400_000],
  ])('%s begins at %d', (text, epochMs) => {
    expect(parseIsoInstant(text)).toStrictEqual({ kind: 'date', epochMs });
  });
});

describe('an instant', () => {
  test.each([
    ['1970-01-01T00:00', 0],
    ['1970-01-01T00:00Z', 0],
    ['1970-01-01T00:00:00', 0],
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01T00:00:00.000Z', 0],
    ['1970-01-01T00:00:00.1', 100],
    ['1970-01-01T00:00:00.12Z', 120],
    ['1970-01-01T00:00:00.123+00:00', 123],
    ['1970-01-01T00:00:00.003Z', 3],
    ['1969-12-31T23:59:59.999Z', -1],
    ['2026-02-10T08:00:00.000Z', 1_770_710_400_000],
    ['2026-02-10T08:00:00', 1_770_710_400_000],
    ['2026-02-10T08:00', 1_770_710_400_000],
    ['2026-02-10T08:00+01:00', 1_770_706_800_000],
    ['2026-02-10T08:00-01:00', 1_770_714_000_000],
    ['2026-02-10T08:00:00+05:30', 1_770_690_600_000],
    ['2026-02-10T08:00:00.5-05:45', 1_770_731_100_500],
    ['2026-02-10T08:00:00-00:00', 1_770_710_400_000],
    ['2026-02-10T23:59:59.999Z', 1_770_767_999_999],
    ['2026-02-10T08:00+14:00', 1_770_660_000_000],
    ['2026-02-10T08:00+15:59', 1_770_652_860_000],
    ['2026-02-10T08:00-15:59', 1_770_767_940_000],
    ['2024-02-29T12:00Z', 1_709_208_000_000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0001-01-01T00:00:00+01:00', -62_135_600_400_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['9999-12-31T23:59:59.999-01:00', 253_402_304_399_999],
  ])('%s is at %d', (text, epochMs) => {
    expect(parseIsoInstant(text)).toStrictEqual({ kind: 'instant', epochMs });
  });
});

describe('refused', () => {
  test.each([
    ['an empty text', ''],
    ['a word of PostgreSQL', 'now'],
    ['another word of PostgreSQL', 'infinity'],
    ['a third word of PostgreSQL', 'today'],
    ['an epoch number', '1770710400'],
    ['epoch milliseconds', '1770710400000'],
    ['a year alone', '2026'],
    ['a month', '2026-02'],
    ['a week date', '2026-W07-2'],
    ['an ordinal date', '2026-041'],
    ['the basic format', '20260210'],
    ['the basic format with a time', '20260210T080000Z'],
    ['slashes', '2026/02/10'],
    ['day first', '10-02-2026'],
    ['one-digit parts', '2026-2-10'],
    ['a year of five digits', '12026-02-10'],
    ['a signed year', '+2026-02-10'],
    ['an expanded year', '+002026-02-10'],
    ['a negative year', '-0001-02-10'],
    ['the year 0', '0000-01-01'],
    ['the year 0 with a time', '0000-12-31T23:59:59Z'],
    ['month 0', '2026-00-10'],
    ['month 13', '2026-13-10'],
    ['day 0', '2026-02-00'],
    ['29 February of a common year', '2026-02-29'],
    ['29 February of a common century', '1900-02-29'],
    ['29 February 2100', '2100-02-29'],
    ['30 February', '2024-02-30'],
    ['31 April', '2026-04-31'],
    ['32 January', '2026-01-32'],
    ['a day that does not exist, with a time', '2026-02-30T08:00Z'],
    ['24:00', '2026-02-10T24:00'],
    ['24:00:00Z', '2026-02-10T24:00:00Z'],
    ['hour 25', '2026-02-10T25:00'],
    ['minute 60', '2026-02-10T08:60'],
    ['second 60', '2026-02-10T08:00:60Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an hour without minutes', '2026-02-10T08'],
    ['an hour without minutes, zoned', '2026-02-10T08Z'],
    ['nothing after T', '2026-02-10T'],
    ['a zone on a date', '2026-02-10Z'],
    ['an offset on a date', '2026-02-10+01:00'],
    ['a fraction of a minute', '2026-02-10T08:00.5'],
    ['a point without digits', '2026-02-10T08:00:00.'],
    ['four digits of fraction', '2026-02-10T08:00:00.0000Z'],
    ['microseconds', '2026-02-10T08:00:00.000000Z'],
    ['a comma', '2026-02-10T08:00:00,5Z'],
    ['a space for T', '2026-02-10 08:00:00Z'],
    ['a lower-case t', '2026-02-10t08:00:00Z'],
    ['a lower-case z', '2026-02-10T08:00:00z'],
    ['an offset without a colon', '2026-02-10T08:00+0100'],
    ['an offset of hours alone', '2026-02-10T08:00+01'],
    ['an offset with seconds', '2026-02-10T08:00+01:00:00'],
    ['offset hour 16', '2026-02-10T08:00+16:00'],
    ['offset hour 99', '2026-02-10T08:00-99:00'],
    ['offset minute 60', '2026-02-10T08:00+01:60'],
    ['an offset with a minus sign', '2026-02-10T08:00\u221201:00'],
    ['both Z and an offset', '2026-02-10T08:00Z+01:00'],
    ['a zone by name', '2026-02-10T08:00 UTC'],
    ['a zone in brackets', '2026-02-10T08:00Z[UTC]'],
    ['a space before', ' 2026-02-10'],
    ['a space after', '2026-02-10 '],
    ['a line break after', '2026-02-10\n'],
    ['a line break between', '2026-02-10\nT08:00'],
    ['digits of another script', '\u0662\u0660\u0662\u0666-02-10'],
    ['full-width digits', '\uff12\uff10\uff12\uff16-02-10'],
    ['a NUL after', '2026-02-10\u0000'],
    ['a megabyte', '2026-02-10'.repeat(100_000)],
  ])('%s', (_, text) => {
    expect(parseIsoInstant(text)).toBeNull();
  });
});

test('every instant that JavaScript prints with four digits of year is read back', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date(-62_135_596_800_000),
        max: new Date(253_402_300_799_999),
        noInvalidDate: true,
      }),
      (date) => {
        expect(parseIsoInstant(date.toISOString())).toStrictEqual({
          kind: 'instant',
          epochMs: date.getTime(),
        });
      },
    ),
  );
});
