/** `readOnly`: invalid parameters never reach a page. */
import { expect, test } from 'vitest';
import { readOnly } from '#console/app/search-params.ts';
import { validateDeletionRequestsSearch } from '#console/pages/search.ts';

/** Merges the parameters as the router does. */
const shown = (sent: Record<string, unknown>) => ({
  ...sent,
  ...readOnly(['status', 'page'], validateDeletionRequestsSearch)(sent),
});

test.each([
  [{ status: 'worst', page: 'x', org: 'a' }, { org: 'a' }],
  [
    { status: 'completed', page: 2 },
    { status: 'completed', page: 2 },
  ],
  [{ status: 'pending' }, {}],
  [{}, {}],
])('from %j the page gets %j', (sent, expected) => {
  expect(shown(sent)).toEqual(expected);
});
