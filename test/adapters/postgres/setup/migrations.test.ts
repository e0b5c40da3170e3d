/** A migration never changes, so databases that were migrated long ago equal those of today. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '#adapters/postgres/setup/migrations/migration-list.ts';

/** Digests of the SQL, by name. A released migration never gets another digest. */
const DIGESTS: Readonly<Record<string, string>> = {
  '2026-11-24 titles of organizations': '274a61812a110099',
  '2026-11-24 no late blocks': '049d5dc90bbfcbfe',
  '2026-11-24 bulk changes': '51ffba0106d5b6b1',
  '2026-11-24 more actors': '3247b93c85a6aaa6',
  '2026-11-24 reports of machines': '637094aba6885873',
  '2026-11-24 known keys': 'fe18ba070403d2f5',
  '2026-11-24 presence': '4d931240a838d8f0',
  '2026-11-24 creators and deciders need no row': '69249caa5aeccf46',
  '2026-11-24 copies of confirmations': '1eec8bef05b56297',
  '2026-11-24 administrators': '477ec1623785f938',
  '2026-11-24 versions of devices': '893b701dedf2113d',
  '2026-11-24 passkeys': '1ba9c017874e5160',
  '2026-11-24 invitations': 'fcf8446c1c499fef',
  '2026-11-24 unique names': 'fefc31e613015049',
  '2026-11-24 tenants in maintenance': 'b4464ffb37b32605',
  '2026-11-24 filters of partners': '64bd02a04bdb79da',
  '2026-11-24 live': '42d3dc874f89203f',
  '2026-11-24 identity providers': '30473d3db3dc6d9a',
  '2026-11-24 filter versions': 'a03dd60f53585c86',
  '2026-11-24 versions of titles': 'b25d3a200b276973',
  '2026-11-24 since when': '495326febac74885',
  '2026-11-24 feeds of partners': 'f66b1abdf9f249c1',
  '2026-11-24 subscriptions of partners': '1cb4d6bb3e046d0d',
  '2026-11-24 filters in filters': '496d57ee01ac8aee',
  '2026-11-24 live news': 'e23a381793b017c4',
  '2026-11-24 subscriptions': 'd96ac08daafa1836',
  '2026-11-24 settings of subscriptions': '8828b4e0658ddd77',
  '2026-11-24 mails about filters': 'a1a92efefe8c1218',
  '2026-11-24 webhooks': '1af4b8386855bfb4',
  '2026-11-24 edits of inner filters': '341adbb6c6c88beb',
  '2026-11-24 added inner filters': 'a030a3c0497a0ac7',
  '2026-11-28 reminders': '3969dfbf870b32ec',
};

test('each migration runs the statements that it was released with', () => {
  const digests = MIGRATIONS.map(({ name, sql }) => [
    name,
    createHash('sha256').update(sql).digest('hex').slice(0, 16),
  ]);
  expect(Object.fromEntries(digests)).toStrictEqual(DIGESTS);
});
