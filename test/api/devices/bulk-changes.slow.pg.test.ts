/** Bulk changes of ten thousand devices during all other writes, and killed at every step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeviceUseCases } from '#application/devices/device-use-cases.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { addEditors, type Editors } from '#test/api/service/editors.ts';
import { type Answer, databaseOf, startService, type TestService } from '#test/api/service/service.ts';
import { aCall, aDevice, anInventory, newId, orgScope } from '#test/support/builders.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { loadFleet } from '#test/support/tenant.ts';

const BULK = '/api/v1/devices/bulk';
const COUNT = 10_000;

let service: TestService;
let editors: Editors;
let devices: readonly DeviceRecord[];

const deviceOf = (orgId: OrgId, i: number) =>
  aDevice({ orgId, hostname: `till-${String(i).padStart(5, '0')}`, tags: ['shop'], status: 'online' });

beforeAll(async () => {
  service = await startService();
  editors = await addEditors(service);
  devices = Array.from({ length: COUNT }, (_, i) => deviceOf(editors.a, i));
  await loadFleet(service.composition.backend, devices);
});
afterAll(() => service.close());

const bulk = (body: object) => editors.as('A')('POST', BULK, body);
const rows = async <T extends object>(sql: string, values: readonly unknown[] = []) =>
  (await databaseOf(service).owner.query<T>(sql, [...values])).rows;
const successes = async () =>
  (await service.probe.auditEntries()).filter(
    ({ action, result }) => action.startsWith('device.') && result === 'success',
  ).length;

/** Counts devices whose narrow rows disagree with them, and devices by tags. */
async function stored() {
  const broken = await rows(
    `select d.id from device d left join device_state s using (id) left join device_names n using (id)
     where s.status is distinct from d.status or n.status is distinct from d.status
       or s.last_seen_at is distinct from d.last_seen_at`,
  );
  const byTags = await rows<{ tags: string; count: number }>(
    `select array_to_string(array(select unnest(tags) order by 1), ' ') as tags, count(*)::int as count
     from device where org_id = $1 group by 1 order by 1`,
    [editors.a],
  );
  return {
    broken: broken.length,
    byTags: Object.fromEntries(byTags.map(({ tags, count }) => [tags, count])),
  };
}

/** Retries on 429, as clients do when their organization has used up its share of the service. */
async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('bulk changes, single changes, reports and a load at once leave nothing lost or half done', async () => {
  const before = await successes();
  const inventories = Array.from({ length: 20 }, (_, i) =>
    anInventory({ hostname: `reported-${i}`, lastUser: 'before' }, { inventoryId: `inventory-${newId()}` }),
  );
  const report = () =>
    Promise.all(
      inventories.map((inventory) =>
        reportInventory(service.composition.backend, editors.a, inventory, Date.now()),
      ),
    );
  const reported = await report();
  const reportedIds = reported.map((one) => (one.ok ? one.value.deviceId : ''));
  const change = (tag: string) =>
    bulk({ q: 'host:till-*', expectedCount: COUNT, change: { addTags: [tag], status: 'maintenance' } });
  const patched = devices.slice(0, 20);
  const late = devices.slice(20, 30).map((device) => ({ ...device, tags: ['loaded'] }));
  const [first, second, ...others] = await Promise.all([
    change('one'),
    change('two'),
    ...patched.map(({ id }) =>
      patiently(() =>
        editors.as('A')('PATCH', `/api/v1/devices/${id}`, { custom: {}, displayName: 'Patched' }),
      ),
    ),
    report(),
    loadFleet(service.composition.backend, late),
  ]);
  expect([first?.status, second?.status]).toStrictEqual([200, 200]);
  for (const answer of others.slice(0, 20)) expect(answer).toMatchObject({ status: 200 });
  const { broken, byTags } = await stored();
  expect(broken).toBe(0);
  // A load replaces the tags, and comes before, between or after the changes.
  const { '': untagged, 'one shop two': tagged, ...loaded } = byTags;
  expect([untagged, tagged]).toStrictEqual([20, COUNT - 10]);
  expect(Object.keys(loaded).every((tags) => tags.includes('loaded') && !tags.includes('shop'))).toBe(true);
  expect(Object.values(loaded).reduce((sum, count) => sum + count, 0)).toBe(10);
  const names = await rows<{ count: number }>(
    "select count(*)::int as count from device where display_name = 'Patched' and tags @> '{one,two}'",
  );
  expect(names).toStrictEqual([{ count: 20 }]);
  const seen = await rows<{ count: number }>(
    'select count(*)::int as count from device where id = any($1) and last_user is not null',
    [reportedIds],
  );
  expect(seen).toStrictEqual([{ count: 20 }]);
  expect((await successes()) - before).toBe(22);

  for (const answer of [second, first]) {
    if (answer === undefined || !('body' in answer)) throw new Error('no answer');
    const { operationId } = answer.body as { operationId: string };
    const undone = await editors.as('A')('POST', `${BULK}/${operationId}/undo`);
    expect(undone.status).toBe(200);
  }
  const after = await stored();
  expect(after.broken).toBe(0);
  expect(
    (await rows("select 1 from device where status = 'maintenance' and tags @> '{shop}'")).length,
  ).toBeLessThan(COUNT);
});

describe('a killed connection', () => {
  type Step = 'hold' | 'replaceAll' | 'remember' | 'audit' | 'nothing';

  /** Ends the transaction's connection after this step. */
  function killingAfter(step: Step) {
    const { backend } = service.composition;
    const kill = async <T>(name: Step, done: Promise<T>): Promise<T> => {
      const value = await done;
      if (name !== step) return value;
      await rows(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      );
      return value;
    };
    const watched = (tx: Transaction): Transaction => ({
      ...tx,
      devices: {
        ...tx.devices,
        hold: (ids) => kill('hold', tx.devices.hold(ids)),
        replaceAll: (changed) => kill('replaceAll', tx.devices.replaceAll(changed)),
      },
      bulkChanges: {
        ...tx.bulkChanges,
        remember: (change) => kill('remember', tx.bulkChanges.remember(change)),
        forget: (id, undone) => kill('remember', tx.bulkChanges.forget(id, undone)),
      },
      audit: (entry) => kill('audit', tx.audit(entry)),
    });
    return makeDeviceUseCases({
      ...backend,
      unitOfWork: (scope, work) => backend.unitOfWork(scope, (tx) => work(watched(tx))),
      clock: service.composition.clock,
      newId,
      cursors: { seal: () => '', open: () => null },
      filterTimeoutMs: 10_000,
    });
  }

  const everything = async () => ({
    devices: await rows(
      'select id, tags, status, custom, custom_derived from device where org_id = $1 order by id',
      [editors.b],
    ),
    remembered: await rows('select id, devices from bulk_change where org_id = $1 order by id', [editors.b]),
    changed: await rows(
      'select bulk_change_id, device_id from bulk_changed_device where org_id = $1 order by 1, 2',
      [editors.b],
    ),
    entries: await successes(),
  });
  const call = () =>
    aCall({
      scope: orgScope(editors.b),
      permissions: new Set(['devices:write']),
      userId: editors.idOf('B') as never,
    });
  const input = { q: 'host:till-*', expectedCount: 5, change: { addTags: ['new'], status: 'offline' } };

  beforeAll(() =>
    loadFleet(
      service.composition.backend,
      Array.from({ length: 5 }, (_, i) => deviceOf(editors.b, i)),
    ),
  );

  test.each<Step>(['hold', 'replaceAll', 'remember', 'audit'])(
    'rolls back a change after %s',
    async (step) => {
      const before = await everything();
      await expect(killingAfter(step).bulkChangeDevices(call(), input)).rejects.toThrow();
      expect(await everything()).toStrictEqual(before);
    },
  );

  test.each<Step>(['hold', 'replaceAll', 'remember', 'audit'])(
    'rolls back an undo after %s, which can be repeated',
    async (step) => {
      const { bulkChangeDevices, undoBulkChange } = killingAfter('nothing');
      const before = await everything();
      const done = await bulkChangeDevices(call(), input);
      if (!done.ok) throw new Error(done.error.code);
      const { operationId } = done.value;
      const between = await everything();
      await expect(killingAfter(step).undoBulkChange(call(), operationId)).rejects.toThrow();
      expect(await everything()).toStrictEqual(between);
      expect(await undoBulkChange(call(), operationId)).toStrictEqual({
        ok: true,
        value: { restored: 5, skipped: 0 },
      });
      expect((await everything()).devices).toStrictEqual(before.devices);
    },
  );
});

test('deleting a device deletes what undo needs of it', async () => {
  const { body } = await editors.as('B')('POST', BULK, {
    q: 'host:till-*',
    expectedCount: 5,
    change: { addTags: ['gone'] },
  });
  const { operationId } = body as { operationId: string };
  const left = () => rows('select 1 from bulk_changed_device where bulk_change_id = $1', [operationId]);
  expect(await left()).toHaveLength(5);
  const { owner } = databaseOf(service);
  for (const table of ['device', 'organization', 'bulk_change', 'bulk_changed_device']) {
    await owner.query(`alter table ${table} no force row level security`);
  }
  await owner.query(
    'delete from device where id = (select min(id::text)::uuid from device where org_id = $1)',
    [editors.b],
  );
  expect(await left()).toHaveLength(4);
  const undone = await editors.as('B')('POST', `${BULK}/${operationId}/undo`);
  expect(undone.body).toStrictEqual({ restored: 4, skipped: 1 });
});
