/** How long a device has been running, in words. */
import { expect, test } from 'vitest';
import { uptimeText } from '#console/pages/device/tabs/uptime-text.ts';

test.each([
  [0, '0 min'],
  [1_740, '29 min'],
  [3_600, '1 h'],
  [86_399, '23 h'],
  [86_400, '1 day'],
  [1_728_000, '20 days'],
])('%i seconds are shown as %s', (seconds, expected) => {
  expect(uptimeText(seconds)).toBe(expected);
});
