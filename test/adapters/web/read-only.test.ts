/** `readOnly`: invalid parameters never reach a page. */
import { expect, test } from 'vitest';
import { readOnly } from '#console/app/search-params.ts';
import { validateDeletionRequestsSearch } from '#console/pages/search.ts';

/** As the router merges them. */
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
])('of %j the page gets %j', (sent, expected) => {
  expect(shown(sent)).toEqual(expected);
});
