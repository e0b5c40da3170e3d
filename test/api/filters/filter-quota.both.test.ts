/** An organization holds at most 1,000 filters and 64 MiB of conditions (issue 8, §1; Contract: §5). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  FILTERS,
  filterOf,
  listOf,
  type NewOrg,
  problemOf,
  startService,
  type TestService,
} from '#test/api/service/service.ts';
import { aFilter } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';

const MIB = 1_048_576;

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Conditions of so many bytes, in characters of one byte and of three. */
const conditionsOf = (bytes: number) => {
  const empty = { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value: '' }] };
  const room = bytes - JSON.stringify(empty).length;
  const value = `${'€'.repeat(Math.floor(room / 3))}${'x'.repeat(room % 3)}`;
  return { operator: 'AND', conditions: [{ field: 'hostname', operator: 'equals', value }] };
};
const SMALL = conditionsOf(100);

async function orgWith(count: number, conditions: object): Promise<NewOrg> {
  const org = await service.inNewOrg(() => []);
  const { orgId, userId } = org;
  const filters = Array.from({ length: count }, () => aFilter({ orgId, createdBy: userId, conditions }));
  await loadFleet(service.composition.backend, filters);
  return org;
}

test('if two create the thousandth filter at once, one succeeds and one is refused with the quota', async () => {
  const { ask } = await orgWith(999, SMALL);
  const create = () => ask('POST', FILTERS, { name: 'The last', conditions: SMALL });
  const answers = await Promise.all([create(), create()]);
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
  expect([won?.status, lost?.status]).toStrictEqual([201, 409]);
  if (won === undefined || lost === undefined) throw new Error('one of two answers is missing');
  expect(problemOf(lost)).toMatchObject({
    code: 'quota_exceeded',
    detail:
      'Quota exceeded: an organization holds at most 1,000 saved filters; this one has 1,000, and this would add 1.',
  });
  expect(listOf(await ask('GET', FILTERS)).total).toBe(1_000);
  const { id } = filterOf(won);
  // Changing a filter is still allowed, and deleting one makes room for another.
  expect((await ask('PATCH', `${FILTERS}/${id}`, { conditions: conditionsOf(200) })).status).toBe(200);
  expect((await ask('DELETE', `${FILTERS}/${id}`)).status).toBe(200);
  expect((await create()).status).toBe(201);
  expect((await create()).status).toBe(409);
});

test('conditions beyond 64 MiB are refused in a new filter and in one that grows', async () => {
  // 64 filters, each 1 KiB short of 1 MiB, leave 64 KiB of room.
  const org = await orgWith(64, conditionsOf(MIB - 1_024));
  const { ask } = org;
  const create = (bytes: number) => ask('POST', FILTERS, { name: 'More', conditions: conditionsOf(bytes) });
  const room = 64 * 1_024;
  const tooMuch = await create(room + 1);
  expect([tooMuch.status, problemOf(tooMuch)]).toMatchObject([
    409,
    {
      code: 'quota_exceeded',
      detail: `Quota exceeded: an organization holds at most 67,108,864 bytes of conditions; this one has ${(64 * MIB - room).toLocaleString('en-US')}, and this would add 65,537.`,
    },
  ]);
  const { id } = filterOf(await create(room - 200));
  const patch = (bytes: number) => ask('PATCH', `${FILTERS}/${id}`, { conditions: conditionsOf(bytes) });
  expect((await patch(room + 1)).status).toBe(409);
  expect(filterOf(await ask('GET', `${FILTERS}/${id}`)).conditions).toStrictEqual(conditionsOf(room - 200));
  expect((await patch(room)).status).toBe(200);
  expect((await ask('PATCH', `${FILTERS}/${id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await create(100)).status).toBe(409);
  expect((await patch(100)).status).toBe(200);
  expect((await create(100)).status).toBe(201);
});

test('the quota of one organization does not affect others', async () => {
  const [full, other] = [await orgWith(1_000, SMALL), await orgWith(0, SMALL)];
  expect((await full.ask('POST', FILTERS, { name: 'x', conditions: SMALL })).status).toBe(409);
  expect((await other.ask('POST', FILTERS, { name: 'x', conditions: SMALL })).status).toBe(201);
});
