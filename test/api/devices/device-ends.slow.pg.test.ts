/** Merges during all other writes to devices, and killed at every statement; duplicates of a large fleet. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeSystemEntryFactory } from '#application/audit/make-entry.ts';
import { makeDeviceEnds } from '#application/devices/end-devices.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId } from '#domain/ids.ts';
import { addEditors, type Editors } from '#test/api/service/editors.ts';
import { databaseOf, startService, type TestService } from '#test/api/service/service.ts';
import { aDevice, anAlert, anInventory, newId, SOME_INSTANT, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { loadFleet } from '#test/support/tenant.ts';

/** Together with those that the tests add, this is as many devices as one bulk change may have. */
const COUNT = 9_990;

let service: TestService;
let editors: Editors;

beforeAll(async () => {
  service = await startService();
  editors = await addEditors(service);
  await loadFleet(
    service.composition.backend,
    Array.from({ length: COUNT }, (_, i) =>
      aDevice({
        orgId: editors.a,
        hostname: `till-${i}`,
        hardware: { ...NO_HARDWARE, serialNumber: `SERIAL-${i}` },
      }),
    ),
  );
});
afterAll(() => service.close());

const rows = async <T extends object>(sql: string, values: readonly unknown[] = []) =>
  (await databaseOf(service).owner.query<T>(sql, [...values])).rows;

const ask = (method: string, path: string, body?: unknown) =>
  editors.as('A')(method, `/api/v1/devices${path}`, body);

const machine = (name: string) =>
  anInventory(
    { hostname: name, hardware: { ...NO_HARDWARE, serialNumber: name }, software: [{ name, version: '1' }] },
    { inventoryId: name },
  );

async function report(name: string): Promise<DeviceId> {
  const stored = await reportInventory(service.composition.backend, editors.a, machine(name), Date.now());
  if (!stored.ok) throw new Error(stored.error);
  return stored.value.deviceId;
}

/** Counts derived rows that are missing or disagree with their device or organization. */
async function brokenRows(): Promise<number> {
  const [{ count } = { count: -1 }] = await rows<{ count: number }>(`
    select (
      (select count(*) from device d left join device_state s using (id) left join device_names n using (id)
       where s.status is distinct from d.status or n.hostname_lc is distinct from d.hostname_lc
         or s.pending_patches is distinct from d.pending_patches)
      + (select count(*) from device d left join device_search s using (id) where s.title is null)
      + (select count(*) from device d where critical_alerts <> (
          select count(*) from alert a where a.device_id = d.id and a.severity = 'critical' and a.status = 'active'))
      + (select count(*) from device_software s cross join unnest(s.title_ids) t(id)
         where not exists (select from organization_software o where o.org_id = s.org_id and o.title_id = t.id))
      + (select count(*) from organization_titles o
         where o.titles + o.versions <> (select count(*) from organization_software s where s.org_id = o.org_id))
    )::int as count`);
  return count;
}

/** Whether another transaction has locked both devices. */
async function areHeld(...ids: readonly DeviceId[]): Promise<boolean> {
  const free = await rows('select 1 from device where id = any($1) for update skip locked', [ids]);
  return free.length === 0;
}

test.each([
  ['at once', false],
  ['once a bulk change holds the devices', true],
  ['once a bulk change holds the devices, again', true],
])('two bulk changes, and %s a merge and reports, leave nothing half done', async (_, waits) => {
  const [one, two] = [`one-${newId()}`, `two-${newId()}`];
  const [kept, gone] = [await report(one), await report(two)];
  const before = (await service.probe.auditEntries()).length;
  const [{ count: expectedCount } = { count: 0 }] = await rows<{ count: number }>(
    'select count(*)::int as count from device where org_id = $1',
    [editors.a],
  );
  const tags = [`a-${one}`, `b-${one}`] as const;
  const bulks = tags.map((tag) =>
    ask('POST', '/bulk', { q: '', orgId: editors.a, expectedCount, change: { addTags: [tag] } }),
  );
  if (waits) await vi.waitUntil(() => areHeld(kept, gone), { timeout: 60_000, interval: 5 });
  const [merged, first, second, ...changed] = await Promise.all([
    ask('POST', `/${kept}/merge`, { deviceId: gone, force: true }),
    report(one),
    report(two),
    ...bulks,
  ]);
  expect(merged.status).toBe(200);
  expect(first).toBe(kept);
  expect([kept, gone]).toContain(second);
  expect(await report(two)).toBe(kept);
  expect(await report(one)).toBe(kept);
  expect(await rows('select 1 from device where id = $1', [gone])).toHaveLength(0);
  // After the merge another number of devices matches, and a bulk change is refused as a whole.
  const statuses = changed.map(({ status }) => status);
  for (const status of statuses) expect([200, 409]).toContain(status);
  if (waits) expect(statuses).toContain(200);
  const [{ tags: stored } = { tags: [] }] = await rows<{ tags: readonly string[] }>(
    'select tags from device where id = $1',
    [kept],
  );
  for (const [i, tag] of tags.entries()) {
    const isDone = statuses[i] === 200;
    const tagged = await rows('select 1 from device where tags @> array[$1]', [tag]);
    expect(tagged).toHaveLength(isDone ? expectedCount - 1 : 0);
    expect(stored.includes(tag)).toBe(isDone);
  }
  const done = statuses.filter((status) => status === 200).length;
  expect(await successesSince(before)).toStrictEqual({ merges: 1, bulks: done });
  expect(await brokenRows()).toBe(0);
  await ask('DELETE', `/${kept}`);
});

/** Counts successes only, because refusals are audited as well. */
async function successesSince(before: number) {
  const entries = (await service.probe.auditEntries())
    .slice(before)
    .filter(({ result }) => result === 'success');
  const count = (name: string) => entries.filter(({ action }) => action === name).length;
  return { merges: count('device.merge'), bulks: count('device.bulk_update') };
}

test('when connections are killed meanwhile, stored changes are whole and match the audit log', async () => {
  const ofBulks = new Set<number>();
  const outcomes = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const [one, two] = [`killed-one-${newId()}`, `killed-two-${newId()}`];
    const [kept, gone] = [await report(one), await report(two)];
    const before = (await service.probe.auditEntries()).length;
    const [{ count: expectedCount } = { count: 0 }] = await rows<{ count: number }>(
      'select count(*)::int as count from device where org_id = $1',
      [editors.a],
    );
    const tags = [`killed-a-${round}`, `killed-b-${round}`];
    const bulk = (tag: string) =>
      ask('POST', '/bulk', { q: '-host:none', orgId: editors.a, expectedCount, change: { addTags: [tag] } });
    // In every other round a bulk change comes first, and only who waits for it is killed.
    const isBulkFirst = round % 2 === 1;
    const bulked = Promise.allSettled(tags.map(bulk));
    if (isBulkFirst) await vi.waitUntil(() => areHeld(kept, gone), { timeout: 60_000, interval: 5 });
    const others = Promise.allSettled([
      ask('POST', `/${kept}/merge`, { deviceId: gone, force: true }),
      report(one),
      report(two),
    ]);
    for (let kills = 0; kills < 3; kills++) {
      await new Promise((resolve) => setTimeout(resolve, 40 * (round + 1)));
      await rows(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and usename like '%\\_app' and state <> 'idle'
          and (not $1 or wait_event_type = 'Lock')
        order by pid limit 1`,
        [isBulkFirst],
      );
    }
    for (const answer of await bulked) if (answer.status === 'fulfilled') ofBulks.add(answer.value.status);
    for (const answer of await others) {
      if (answer.status === 'fulfilled' && typeof answer.value === 'object')
        outcomes.add(answer.value.status);
    }
    const stays = await rows<{ id: string }>('select id from device where id = any($1)', [[kept, gone]]);
    const merges = 2 - stays.length;
    const tagged = await Promise.all(
      tags.map(async (tag) => (await rows('select 1 from device where tags @> array[$1]', [tag])).length),
    );
    for (const count of tagged) expect([0, expectedCount - merges, expectedCount]).toContain(count);
    const bulks = tagged.filter((count) => count > 0).length;
    expect(await successesSince(before)).toStrictEqual({ merges, bulks });
    expect(await report(one)).toBe(kept);
    expect(await report(two)).toBe(merges === 1 ? kept : gone);
    expect(await brokenRows()).toBe(0);
    await ask('DELETE', `/${kept}`);
    if (merges === 0) await ask('DELETE', `/${gone}`);
  }
  // Some kills hit a request, and some requests of each kind succeeded.
  expect([ofBulks.has(200), outcomes.has(200)]).toStrictEqual([true, true]);
  expect([...ofBulks, ...outcomes].some((status) => status >= 500)).toBe(true);
});

test('only one of two opposite merges succeeds, and the kept device accepts its change', async () => {
  for (let round = 0; round < 5; round++) {
    const pair = [1, 2].map(() => aDevice({ orgId: editors.a, tags: ['own'] }));
    const [kept, gone] = pair.map(({ id }) => id);
    await loadFleet(service.composition.backend, pair);
    const [merged, other, onKept, onGone] = await Promise.all([
      ask('POST', `/${kept}/merge`, { deviceId: gone }),
      ask('POST', `/${gone}/merge`, { deviceId: kept }),
      ask('PATCH', `/${kept}`, { tags: ['own', 'kept'] }),
      ask('PATCH', `/${gone}`, { tags: ['own', 'gone'] }),
    ]);
    expect([merged.status, other.status].toSorted()).toStrictEqual([200, 404]);
    const stays = merged.status === 200 ? kept : gone;
    const [{ tags } = { tags: [] }] = await rows<{ tags: string[] }>(
      'select tags from device where id = $1',
      [stays],
    );
    const written = { [kept as string]: onKept, [gone as string]: onGone };
    expect(written[stays as string]?.status).toBe(200);
    expect(tags).toContain('own');
  }
  expect(await brokenRows()).toBe(0);
});

describe('a killed connection', () => {
  const { query } = Client.prototype;

  /** Ends the connection of the transaction before or after its nth statement. Tells if there was one. */
  async function killedAt(n: number, when: 'before' | 'after', work: () => Promise<unknown>) {
    let count = 0;
    const kill = (client: Client) =>
      rows('select pg_terminate_backend($1, 5000)', [Reflect.get(client, 'processID')]);
    const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
      this: Client,
      ...args: unknown[]
    ) {
      const run = () => Reflect.apply(query, this, args);
      if (!this.user?.endsWith('_app')) return run();
      count++;
      if (count !== n) return run();
      return (async () => {
        if (when === 'before') await kill(this);
        const result = await run();
        if (when === 'after') await kill(this);
        return result;
      })() as never;
    } as never);
    try {
      const outcome = await work().then(
        () => 'done',
        () => 'failed',
      );
      return { outcome, isKilled: count >= n };
    } finally {
      spy.mockRestore();
    }
  }

  async function addPair() {
    const device = (i: number) =>
      aDevice({
        ...{ orgId: editors.b, hostname: `pc-${i}`, lastSeenAt: SOME_INSTANT + i, tags: [`tag-${i}`] },
        hardware: { ...NO_HARDWARE, model: `Model ${i}` },
        network: [{ ipAddress: `10.0.0.${i}`, publicIp: null, macAddress: `44:85:00:00:00:0${i}` }],
        volumes: [{ name: `Disk ${i}`, filesystem: null, totalGb: i, freeGb: 0 }],
        software: [{ name: `Title ${i}`, version: null }],
        patches: [{ id: null, title: `KB${i}`, status: 'pending' }],
        inventoryIds: [`id-${i}-${newId()}`],
      });
    const pair = [device(1), device(2)] as const;
    const alerts = pair.map(({ id }) =>
      anAlert({ orgId: editors.b, deviceId: id, severity: 'critical', status: 'active' }),
    );
    await loadFleet(service.composition.backend, [...pair, ...alerts]);
    return pair.map(({ id }) => id) as [DeviceId, DeviceId];
  }

  const TABLES = [
    ...['device_hardware', 'device_network', 'device_volume', 'device_software', 'patch', 'alert'],
    ...['device_inventory_id', 'device_known_key'],
  ];

  async function everything(ids: readonly DeviceId[]) {
    const state: Record<string, unknown> = {
      device: await rows('select * from device where id = any($1) order by id', [ids]),
      entries: (await service.probe.auditEntries()).filter(({ action }) => action === 'device.merge').length,
    };
    for (const table of TABLES) {
      state[table] = await rows(`select * from ${table} t where device_id = any($1) order by t::text`, [ids]);
    }
    return state;
  }

  test.each(['before', 'after'] as const)(
    '%s each statement of a merge leaves it whole or undone',
    async (when) => {
      const { backend, clock } = service.composition;
      const makeEntry = makeSystemEntryFactory({ clock, newId });
      const keeper = {
        scope: SYSTEM_SCOPE,
        makeEntry: (facts: { readonly action: 'device.merge' | 'device.delete' }) =>
          makeEntry({ orgId: null, partnerId: null, details: {}, resourceId: null, ...facts }),
      } as Parameters<ReturnType<typeof makeDeviceEnds>['merge']>[0];
      const ends = makeDeviceEnds(backend);
      let failures = 0;
      for (let n = 1; ; n++) {
        const [kept, gone] = await addPair();
        const before = await everything([kept, gone]);
        const { outcome, isKilled } = await killedAt(n, when, async () => {
          const merged = await ends.merge(keeper, kept, { deviceId: gone, force: false });
          if (!merged.ok) throw new Error(merged.error.code);
        });
        const left = await rows<{ id: string }>('select id from device where id = any($1)', [[kept, gone]]);
        if (left.length === 2) expect(await everything([kept, gone])).toStrictEqual(before);
        else {
          const after = await everything([kept, gone]);
          expect(left.map(({ id }) => id)).toStrictEqual([kept]);
          expect(after).toMatchObject({ entries: (before.entries as number) + 1 });
          expect(after.alert).toHaveLength(2);
          expect(after.device).toMatchObject([{ hostname: 'pc-2', critical_alerts: 2 }]);
          expect(after.device_inventory_id).toHaveLength(2);
        }
        if (outcome === 'failed') failures++;
        if (!isKilled) break;
      }
      expect(failures).toBeGreaterThan(10);
      expect(await brokenRows()).toBe(0);
    },
  );
});

test('duplicates of a fleet of 10,000 are found in time', async () => {
  const serial = `TWICE-${newId()}`;
  const twice = [1, 2].map(() =>
    aDevice({ orgId: editors.a, hardware: { ...NO_HARDWARE, serialNumber: serial } }),
  );
  await loadFleet(service.composition.backend, twice);
  const { status, body } = await ask('GET', `/duplicates?orgId=${editors.a}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ data: [{ because: ['serial'] }] });
});
