/** What the addresses of lists are read as: anybody can make one. */
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

test.each([2020, true])('a text that the router has read as %j is a text again', (search) => {
  expect(readScriptsSearch({ search })).toStrictEqual({ search: String(search) });
});

test.each([undefined, null, 'worst', 1, {}, ['high'], ''])(
  '%j is no severity, and is named as none',
  (value) => {
    // The router leaves in what is not named.
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
