/** Suggested values with their number of devices. */
import { expect, test } from 'vitest';
import { withCounts } from '#console/parts/filter-text/use-completion.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { SummarySums } from '#domain/fleet/fleet-summary.ts';

const SUMS = new SummarySums();
SUMS.addDevices({
  status: 'offline',
  osType: 'linux',
  role: 'server',
  devices: 1_200,
  notSeenDays7: 0,
  notSeenDays30: 0,
  neverSeen: 0,
  patchesPending: 0,
  rebootRequired: 0,
});

test.each([
  ['status:o', ['online 0 devices', 'offline 1,200 devices']],
  ['os:', ['windows 0 devices', 'macos 0 devices', 'linux 1,200 devices']],
  ['role:server', ['server 1,200 devices']],
  // The summary does not count this field.
  ['reboot:y', ['yes']],
])('suggestions at %s have the numbers that the summary has', (text, expected) => {
  const { items, field } = completeFilterText(text, text.length, CORE_CATALOG);
  const shown = withCounts(items, field, SUMS.summary).map(({ insert, description }) =>
    [insert, description].filter(Boolean).join(' '),
  );
  expect(shown).toStrictEqual(expected);
});

test('suggestions have no numbers if no counts are known', () => {
  const { items, field } = completeFilterText('status:', 7, CORE_CATALOG);
  expect(withCounts(items, field, undefined)).toBe(items);
});
