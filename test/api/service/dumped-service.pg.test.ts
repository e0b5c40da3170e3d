/** A service that has loaded the dump of another answers as the other does, to the same API keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAlert, aScript } from '#test/support/builders.ts';
import { ANY_HASH, dump, loadDump } from '#test/support/database/dumps.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { type Answer, databaseOf, startService, type TestService } from './service.ts';

let original: TestService;
let copy: TestService;

beforeAll(async () => {
  const overrides = { hashPassword: async () => ANY_HASH };
  original = await startService({ overrides });
  copy = await startService({ overrides });
  // Partner names are unique, so the copy's own partners get other names.
  await databaseOf(copy).owner.query(`update partner set name = name || ' of the copy'`);
  const { backend, databaseTools } = original.composition;
  const { orgIds } = original.tenants;
  await loadFleet(backend, [
    aScript({ owner: { kind: 'organization', orgId: orgIds.A }, name: 'Reboot canary' }),
    anAlert({ orgId: orgIds.A, title: 'Disk of canary' }),
  ]);
  // One change gives the filter a version other than that of new filters.
  const { id } = original.tenants.filters.A;
  expect((await original.as('A-user')('PATCH', `/api/v1/filters/${id}`, { name: 'Changed' })).status).toBe(
    200,
  );
  if (databaseTools === null) throw new Error('the service has no database');
  const loaded = await loadDump(copy.composition.backend, await dump({ databaseTools }));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
});

afterAll(async () => {
  await original.close();
  await copy.close();
});

/** Asked with the partner's key, which reaches nothing that the copy had before. */
const QUESTIONS: [method: string, path: string, body?: object][] = [
  ['GET', '/api/v1/auth/me'],
  ['GET', '/api/v1/organizations'],
  ['GET', '/api/v1/filters'],
  ['GET', '/api/v1/filters/fields'],
  ['GET', '/api/v1/devices'],
  ['GET', '/api/v1/alerts'],
  ['GET', '/api/v1/scripts'],
  ['GET', '/api/v1/search?q=canary'],
  ['GET', '/api/v1/summary'],
  [
    'POST',
    '/api/v1/filters/preview',
    {
      conditions: {
        operator: 'AND',
        conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
      },
    },
  ],
];

test.each(QUESTIONS)('%s %s answers alike on the original and on the copy', async (method, path, body) => {
  const credential = { 'X-API-Key': original.tenants.keys['key-P'].key };
  const ask = ({ as }: TestService) => as('none')(method, path, body, credential);
  const [expected, actual] = [await ask(original), await ask(copy)];
  expect(expected.status).toBe(200);
  expect(told(actual)).toStrictEqual(told(expected));
});

test.each(['audit-log', 'account-deletion-requests'])(
  'GET /api/v1/admin/%s answers an administrator alike on the original and on the copy',
  async (what) => {
    const ask = ({ asUser }: TestService) =>
      asUser(original.tenants.users['A-admin'].id)(
        'GET',
        `/api/v1/admin/${what}?orgId=${original.tenants.orgIds.A}`,
      );
    const [expected, actual] = [await ask(original), await ask(copy)];
    expect(expected.status).toBe(200);
    expect(told(actual)).toStrictEqual(told(expected));
  },
);

/** The answer without the time of the request. */
function told({ status, text }: Answer): object {
  return { status, text: text.replaceAll(/"(evaluatedAt|asOf)":"[^"]*"/g, '') };
}
