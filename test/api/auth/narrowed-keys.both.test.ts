/** An API key that is narrowed to an organization, when its user is moved to another one (Contract: §2). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  FILTERS,
  filterOf,
  listOf,
  PREVIEW,
  previewOf,
  refusalOf,
  SEARCH,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { anApiKey, aUser } from '#test/support/builders.ts';
import { until } from '#test/support/database/until.ts';
import { loadFleet } from '#test/support/tenant.ts';

const EVERYWHERE = {
  operator: 'AND',
  conditions: [{ field: 'tags', operator: 'contains', value: 'everywhere' }],
};

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

test('a narrowed API key reaches its organization while its user does, and nothing afterwards', async () => {
  const { orgIds, filters } = service.tenants;
  const user = aUser({
    membership: { scope: 'organization', orgId: orgIds.A },
    permissions: ['users:write'],
  });
  const key = anApiKey({ userId: user.id, orgId: orgIds.A, permissions: ['users:write'] });
  await loadFleet(service.composition.backend, [user, key]);
  const ask = (method: string, path: string, body?: unknown) =>
    service.as('none')(method, path, body, { 'X-API-Key': key.key });
  const count = async () =>
    previewOf(await ask('POST', PREVIEW, { conditions: EVERYWHERE, limit: 1 })).totalCount;
  const own = filterOf(await ask('POST', FILTERS, { name: 'Mine', conditions: EVERYWHERE }));
  expect([own.orgId, await count()]).toStrictEqual([orgIds.A, 3]);

  await service.probe.changeUser(user.id, { membership: { scope: 'organization', orgId: orgIds.B } });
  await until(async () => (await count()) === 0);

  expect(listOf(await ask('GET', FILTERS))).toStrictEqual({ data: [], total: 0 });
  expect((await ask('GET', `${SEARCH}?q=canary`)).body).toStrictEqual({ results: [] });
  for (const orgId of [undefined, orgIds.A, orgIds.B]) {
    const answer = await ask('POST', FILTERS, { name: 'x', conditions: EVERYWHERE, orgId });
    expect([orgId, refusalOf(answer)]).toStrictEqual([orgId, [403, 'forbidden']]);
  }
  for (const id of [own.id, filters.A.id, filters.B.id]) {
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['POST', '/preview'],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
    ] as const) {
      const answer = await ask(method, `${FILTERS}/${id}${suffix}`, body);
      expect([method, refusalOf(answer)]).toStrictEqual([method, [404, 'not_found']]);
    }
  }
  const administration = ['account-deletion-requests', 'audit-log'].map((path) =>
    ask('GET', `/api/v1/admin/${path}`),
  );
  for (const { status, body } of await Promise.all(administration)) {
    expect([status, (body as { data: unknown }).data]).toStrictEqual([200, []]);
  }
  const pending = await ask('GET', '/api/v1/admin/account-deletion-requests/pending-count');
  expect(pending.body).toStrictEqual({ count: 0 });
  const { status, body } = await ask('GET', '/api/v1/auth/me');
  expect([status, body]).toMatchObject([200, { id: user.id, scope: 'none', orgId: null, partnerId: null }]);
});
