/** How the addresses of lists are read, which anybody can write. */
import { expect, test } from 'vitest';
import {
  readAlertsSearch,
  readOrganizationsSearch,
  readPatchesSearch,
  readScriptsSearch,
} from '#console/pages/search.ts';

test('valid parameters are kept', () => {
  expect(readAlertsSearch({ search: 'disk', status: 'active', severity: 'high' })).toStrictEqual({
    search: 'disk',
    status: 'active',
    severity: 'high',
  });
  const organizations = { search: 'arden', sort: '-devices', add: 'machine', keys: 'of-arden' };
  expect(readOrganizationsSearch(organizations)).toStrictEqual(organizations);
  expect(readPatchesSearch({ status: 'failed' })).toStrictEqual({ status: 'failed' });
});

test.each([2020, true])('a search that the router has read as %j is a text again', (search) => {
  expect(readScriptsSearch({ search })).toStrictEqual({ search: String(search) });
});

test.each([undefined, null, 'worst', 1, {}, ['high'], ''])(
  '%j is neither a status nor a severity, and is set to undefined',
  (value) => {
    // The router keeps a parameter that the result does not name.
    expect(readAlertsSearch({ status: value, severity: value })).toStrictEqual({
      search: undefined,
      status: undefined,
      severity: undefined,
    });
  },
);

test.each([undefined, null, '', '  ', {}, ['a']])('%j is no search', (search) => {
  expect(readScriptsSearch({ search })).toStrictEqual({ search: undefined });
});
