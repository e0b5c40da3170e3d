/** When silence counts, and when an inventory is due. */
import { describe, expect, test } from 'vitest';
import {
  audibleAt,
  type Hearing,
  hearAt,
  isInventoryDue,
  silenceMinutes,
} from '#domain/inventory/presence.ts';

const NOW = Date.UTC(2026, 1, 10, 8);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('silence', () => {
  test.each([
    [{ contactMinutes: 15, expirationHours: 24, offlineAfterMinutes: null }, 35, 1_500],
    [{ contactMinutes: 60, expirationHours: 1, offlineAfterMinutes: null }, 125, 120],
    [{ contactMinutes: 15, expirationHours: 24, offlineAfterMinutes: 90 }, 90, 90],
  ])('counts after the minutes that follow from %j', (settings, contacts, reports) => {
    expect(silenceMinutes(settings)).toStrictEqual({ contacts, reports });
  });
});

describe('hearing', () => {
  /** The notes of a worker at these minutes, each based on the note before. */
  const hear = (...minutes: readonly number[]) =>
    minutes.reduce<Hearing | null>((before, at) => hearAt(NOW + at * MINUTE_MS, before, MINUTE_MS), null);
  const sinceOf = (hearing: Hearing | null) =>
    hearing && [hearing.since.contacts, hearing.since.reports].map((at) => (at - NOW) / MINUTE_MS);

  test.each<[string, readonly number[], readonly number[]]>([
    ['begins with the first note', [0], [0, 0]],
    ['lasts from note to note', [0, 1, 2, 3], [0, 0]],
    ['lasts over a short restart', [0, 1, 7], [0, 0]],
    ['breaks for contacts if the service was down for longer', [0, 1, 8], [8, 0]],
    ['breaks for reports as well after an hour', [0, 1, 63], [63, 63]],
    ['breaks when a clock jumps ahead', [0, 1, 1_441, 1_442], [1_441, 1_441]],
    ['breaks when a clock jumps back', [0, 1, -1_439, -1_438], [-1_439, -1_439]],
    ['does not begin later than now', [0, -3], [-3, -3]],
  ])('%s', (_what, minutes, since) => {
    expect(sinceOf(hear(...minutes))).toStrictEqual(since);
  });

  test('must last as long as the silence before a device counts as silent', () => {
    const hearing = { heardAt: NOW, since: { contacts: NOW - 35 * MINUTE_MS, reports: NOW - DAY_MS } };
    const audible = audibleAt(hearing, { contacts: 35, reports: 1_500 });
    expect(audible).toStrictEqual({
      contacts: { from: NOW - 35 * MINUTE_MS, to: NOW + 5 * MINUTE_MS },
      reports: null,
    });
    expect(audibleAt(hearing, { contacts: 36, reports: 1_440 })).toMatchObject({
      contacts: null,
      reports: { from: NOW - DAY_MS },
    });
  });
});

test.each<[string, number | null, boolean]>([
  ['missing', null, true],
  ['a day old', NOW - DAY_MS, true],
  ['younger than a day', NOW - DAY_MS + 1, false],
  ['from before the clock was set back', NOW + 1, true],
])('tells whether an inventory that is %s is due', (_what, inventoriedAt, isDue) => {
  expect(isInventoryDue(inventoriedAt, NOW, 24)).toBe(isDue);
});
