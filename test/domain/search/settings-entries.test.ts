/** The pages that a search finds, and for whom (Contract: §6). */
import { describe, expect, test } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { findSettings } from '#domain/search/settings-entries.ts';
import { aCaller } from '#test/support/builders.ts';

const FOR_EVERYBODY = [
  ['Profile', '/settings/profile'],
  ['Security', '/settings/security'],
  ['API keys', '/settings/api-keys'],
  ['Saved filters', '/filters'],
  ['Delete account', '/account/delete'],
  ['Passkeys', '/settings/security'],
];
const PEOPLE = ['People', '/people'];
const PROVIDERS = ['Identity providers', '/admin/identity-providers'];
const AUDIT_LOG = ['Audit log', '/admin/audit-log'];
const DELETION_REQUESTS = ['Deletion requests', '/admin/account-deletion-requests'];

const USERS_WRITE = new Set(['users:write']);

/** Every page that the caller can find by any letter. */
function openTo(caller: Caller) {
  const found = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => findSettings(caller, letter)).flat();
  return [...new Map(found.map((entry) => [entry.id, entry])).values()];
}

describe('the pages are open', () => {
  test.each<[string, Partial<Caller>, unknown[]]>([
    ['somebody', {}, FOR_EVERYBODY],
    ['a holder of another permission', { permissions: new Set(['users:read']) }, FOR_EVERYBODY],
    [
      'a holder of users:write',
      { permissions: USERS_WRITE },
      [...FOR_EVERYBODY, AUDIT_LOG, PEOPLE, PROVIDERS],
    ],
    ['a platform administrator', { isPlatformAdmin: true }, [...FOR_EVERYBODY, DELETION_REQUESTS]],
    [
      'a platform administrator who holds users:write',
      { permissions: USERS_WRITE, isPlatformAdmin: true },
      [...FOR_EVERYBODY, AUDIT_LOG, DELETION_REQUESTS, PEOPLE, PROVIDERS],
    ],
  ])('to %s', (_, given, expected) => {
    const pages = openTo(aCaller(given));
    expect(pages.map(({ title, href }) => [title, href]).sort()).toStrictEqual(expected.toSorted());
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
    expect(pages.every(({ id, description }) => id !== '' && description !== '')).toBe(true);
  });
});

describe('a page is found', () => {
  const admin = aCaller({ permissions: USERS_WRITE, isPlatformAdmin: true });
  const titles = (text: string) => findSettings(admin, text).map(({ title }) => title);

  test.each([
    ['PROFILE', ['Profile']],
    ['secu', ['Security']],
    ['api key', ['API keys']],
    ['\u212AEYS', ['Passkeys', 'API keys']],
    ['filters', ['Saved filters']],
    ['Delete', ['Delete account']],
    ['audit', ['Audit log']],
    ['request', ['Deletion requests']],
    // By its description.
    ['invitation', ['People']],
    ['entra', ['Identity providers']],
    ['passkey', ['Passkeys']],
    ['password', ['Security']],
    ['email', ['Profile']],
    ['account', ['Delete account', 'Deletion requests']],
  ])('by %j: %j', (text, expected) => {
    expect(titles(text)).toStrictEqual(expected);
  });

  test.each(['%', '_', '\\', '.*', 'settings/', '/filters', 'profilee', 'saved_filters', 'api-keys'])(
    'not by %j',
    (text) => {
      expect(titles(text)).toStrictEqual([]);
    },
  );
});
