/** The places of the console (Contract: §14). */
import { describe, expect, test } from 'vitest';
import { isPlace, PLACES } from '#adapters/web/places.ts';

/** Contract: §14, "Places". */
const NAMED = [
  '/',
  '/organizations',
  '/devices',
  '/devices/0196f000-0000-7000-8000-000000000001',
  '/alerts',
  '/incidents',
  '/remote-access',
  '/scripts',
  '/patches',
  '/vulnerabilities',
  '/filters',
  '/filters/new',
  '/filters/0196f000-0000-7000-8000-000000000001',
  '/people',
  '/people/0196f000-0000-7000-8000-000000000001',
  '/organizations/0196f000-0000-7000-8000-000000000001',
  '/admin/account-deletion-requests',
  '/admin/account-deletion-requests/0196f000-0000-7000-8000-000000000001',
  '/admin/audit-log',
  '/settings/profile',
  '/settings/security',
  '/settings/api-keys',
  '/login',
  '/account/delete',
];

test.each(NAMED)('%s is a place', (path) => {
  expect(isPlace(path)).toBe(true);
});

test.each(NAMED.slice(1))('%s is a place with a slash at its end, too', (path) => {
  expect(isPlace(`${path}/`)).toBe(true);
});

test.each(['/nowhere', '/devices/a/b', '/api/v1/devices', '/admin', '/settings', '//', '/Devices', ''])(
  '%j is not a place',
  (path) => {
    expect(isPlace(path)).toBe(false);
  },
);

describe('chords', () => {
  test('lead where the specification says', () => {
    const chords = PLACES.flatMap((place) => ('chord' in place ? [[place.chord, place.title]] : []));
    expect(Object.fromEntries(chords)).toStrictEqual({
      h: 'Dashboard',
      o: 'Organizations',
      d: 'Devices & Assets',
      a: 'Alerts',
      i: 'Incidents',
      r: 'Remote Access',
      s: 'Scripts',
      p: 'Patches',
      v: 'Vulnerabilities',
    });
  });
});
