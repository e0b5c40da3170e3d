/** Versions of saved filters: what changes leave behind, and what is restored (Contract: §18). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FilterId, UserId } from '#domain/ids.ts';
import { addEditors, type EditorName, type Editors } from '#test/api/service/editors.ts';
import {
  type Answer,
  filterOf,
  problemOf,
  refusalOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aCustomField, aFilter } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { and, is } from './condition-service.ts';
import { createFilter, ONLINE, urlOf } from './saved-filters.ts';

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  editors = await addEditors(service);
});

const LINUX = and(is('osType', 'equals', 'linux'));

const ask = (name: EditorName, method: string, path: string, body?: unknown): Promise<Answer> =>
  editors.as(name)(method, path, body);
const made = async () => filterOf(await createFilter(editors.as('A'), { description: 'First' }));
const versionsOf = async (filter: { readonly id: string }) => {
  const { body } = await ask('A', 'GET', `${urlOf(filter)}/versions`);
  return (body as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
};

test('each change adds a version with its author, time and content', async () => {
  const filter = await made();
  const renamed = await ask('P', 'PATCH', urlOf(filter), { name: 'Penguins', conditions: LINUX });
  expect(renamed.headers.get('etag')).toBe('"2"');
  const [second, first, ...more] = await versionsOf(filter);
  expect(more).toStrictEqual([]);
  expect(second).toMatchObject({ version: 2, name: 'Penguins', description: 'First', conditions: LINUX });
  expect(second?.at).toBe(filterOf(renamed).updatedAt);
  expect(first).toStrictEqual({
    ...{ version: 1, at: filter.updatedAt, name: 'Online', description: 'First', conditions: ONLINE },
    by: { id: filter.createdBy, name: expect.any(String) },
  });
});

test('a change without effect adds no version', async () => {
  const filter = await made();
  await ask('A', 'PATCH', urlOf(filter), { name: 'Online' });
  await ask('A', 'POST', `${urlOf(filter)}/restore`, { version: 1 });
  expect(await versionsOf(filter)).toHaveLength(1);
});

test('restoring a version adds a new one with the same content', async () => {
  const filter = await made();
  await ask('A', 'PATCH', urlOf(filter), { name: 'Penguins', description: null, conditions: LINUX });
  const stale = await editors.as('A')(
    'POST',
    `${urlOf(filter)}/restore`,
    { version: 1 },
    { 'If-Match': '"1"' },
  );
  expect(stale.status).toBe(412);
  const restored = await ask('A', 'POST', `${urlOf(filter)}/restore`, { version: 1 });
  expect([restored.status, restored.headers.get('etag')]).toStrictEqual([200, '"3"']);
  expect(filterOf(restored)).toMatchObject({ name: 'Online', description: 'First', conditions: ONLINE });
  expect((await versionsOf(filter)).map(({ version, name }) => [version, name])).toStrictEqual([
    [3, 'Online'],
    [2, 'Penguins'],
    [1, 'Online'],
  ]);
});

test.each([[0], [2], [1.5], ['1'], [null], [2 ** 40]])('version %j cannot be restored', async (version) => {
  const filter = await made();
  const refused = await ask('A', 'POST', `${urlOf(filter)}/restore`, { version });
  expect(refused.status).toBe(400);
  expect(problemOf(refused).errors?.map(({ path, code }) => [path, code])).toStrictEqual([
    ['version', 'invalid_value'],
  ]);
});

test('a version that is no longer valid is not restored', async () => {
  const field = aCustomField({
    owner: { kind: 'organization', orgId: editors.a },
    key: 'rack',
    type: 'text',
  });
  await loadFleet(service.composition.backend, [field]);
  const conditions = and(is('custom.rack', 'equals', 'r1'));
  const filter = filterOf(await createFilter(editors.as('A'), { conditions }));
  await ask('A', 'PATCH', urlOf(filter), { conditions: LINUX });
  expect((await ask('A', 'DELETE', `/api/v1/custom-fields/${field.id}`)).status).toBeLessThan(300);
  const refused = await ask('A', 'POST', `${urlOf(filter)}/restore`, { version: 1 });
  expect(problemOf(refused).errors?.[0]?.code).toBe('unknown_field');
  expect(filterOf(await ask('A', 'GET', urlOf(filter))).conditions).toStrictEqual(LINUX);
});

test('callers who do not reach the filter get 404', async () => {
  const filter = await made();
  for (const [method, suffix, body] of [
    ['GET', 'versions', undefined],
    ['POST', 'restore', { version: 1 }],
  ] as const) {
    const foreign = await ask('B', method, `${urlOf(filter)}/${suffix}`, body);
    expect(refusalOf(foreign)[0]).toBe(404);
  }
});

test('a load that changes a filter adds a version without author, and one without effect adds none', async () => {
  const filter = await made();
  const record = aFilter({
    ...{
      id: filter.id as FilterId,
      orgId: editors.a,
      name: 'Online',
      description: 'First',
      conditions: ONLINE,
    },
    createdBy: filter.createdBy as UserId,
  });
  await loadFleet(service.composition.backend, [record]);
  expect(await versionsOf(filter)).toHaveLength(1);
  await loadFleet(service.composition.backend, [{ ...record, name: 'Loaded' }]);
  expect((await versionsOf(filter)).map(({ name, by }) => [name, by])).toStrictEqual([
    ['Loaded', null],
    ['Online', { id: filter.createdBy, name: expect.any(String) }],
  ]);
});
