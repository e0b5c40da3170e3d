/** A partner moves from one running service to another without losing or doubling anything. */
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { isRefusedInMaintenance } from '#adapters/postgres/database-error.ts';
import { openPostgresBackend, type PostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import {
  aCustomField,
  aDevice,
  aFilter,
  anAlert,
  anApiKey,
  anAuditEntry,
  anInventory,
  aSavedFilter,
  aScript,
  aSite,
  aUser,
  orgScope,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { ANY_HASH, dump, loadDump } from '#test/support/database/dumps.ts';
import { createFreshDatabase } from '#test/support/database/fresh-database.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { aMail, aMailRecipient } from '#test/support/mail/mails.ts';
import { createTenant, loadFleet, type Tenant } from '#test/support/tenant.ts';

let source: PostgresWorld;
let target: PostgresWorld;
let moving: Tenant;
let staying: Tenant;
let settled: Tenant;
/** A system user who made one of the partner's filters. */
const staff = aUser();

/** Stopped even if the test fails. */
const under: Requests[] = [];

const entry = () => anAuditEntry({ action: 'partner.maintenance_began', resourceType: 'partner' });

function everythingOf({ orgId, partnerId, userId }: Tenant): readonly FleetRecord[] {
  const site = aSite({ orgId });
  const devices = Array.from({ length: 60 }, (_, i) =>
    aDevice({
      ...{ orgId, siteId: site.id, hostname: `pc-${i}`, inventoryIds: [`pc-${i}`] },
      software: [{ name: `Title ${i % 7}`, version: '1' }],
      network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: null }],
      patches: [{ id: null, title: 'KB1', status: 'pending' }],
    }),
  );
  const wide = aFilter({ orgId: null, partnerId, createdBy: userId, name: 'Partner-wide' });
  const naming = (...ids: readonly string[]) => ({
    operator: 'AND',
    conditions: [{ field: 'filter', operator: 'in', value: ids }],
  });
  const inner = aFilter({ orgId, createdBy: userId, name: 'Inner', conditions: naming(wide.id) });
  return [
    aFilter({ orgId, createdBy: userId, name: 'Outer', conditions: naming(inner.id, wide.id) }),
    inner,
    wide,
    site,
    ...devices,
    aCustomField({ owner: { kind: 'partner', partnerId }, key: 'seats' }),
    aScript({ owner: { kind: 'partner', partnerId } }),
    anAlert({ orgId, deviceId: devices[0]?.id ?? null }),
    aUser({ membership: { scope: 'partner', partnerId, orgIds: [orgId] }, totpSecret: 'JBSWY3DPEHPK3PXP' }),
    anApiKey({ userId }),
    aFilter({ orgId, createdBy: userId }),
    { kind: 'auditEntry', ...anAuditEntry({ orgId }) },
  ];
}

beforeAll(async () => {
  const options = { secretKey: 'k'.repeat(40), hashPassword: async () => ANY_HASH };
  source = await createPostgresWorld(inject('databaseUrl'), options);
  target = await createPostgresWorld(inject('databaseUrl'), options);
  moving = await createTenant(source.backend, 2);
  staying = await createTenant(source.backend);
  settled = await createTenant(target.backend);
  await loadFleet(source.backend, [
    staff,
    ...everythingOf(moving),
    aFilter({ orgId: moving.orgId, createdBy: staff.id }),
    ...everythingOf(staying),
  ]);
  await loadFleet(target.backend, everythingOf(settled));
});

afterAll(async () => {
  await Promise.all(under.map(({ stop }) => stop()));
  await source.close();
  await target.close();
});

/** Requests that succeeded, and those that should be tried again. */
interface Requests {
  readonly made: SavedFilter[];
  readonly reported: string[];
  refused: number;
  stop(): Promise<void>;
}

/** Keeps making filters and reporting machines of one organization. */
function keepChanging(backend: PostgresBackend, orgId: OrgId, createdBy: UserId): Requests {
  let isOver = false;
  const requests = { made: [] as SavedFilter[], reported: [] as string[], refused: 0 };
  const attempt = async (work: () => Promise<void>) => {
    while (!isOver) {
      await work().catch((error: unknown) => {
        if (!isRefusedInMaintenance(error)) throw error;
        requests.refused++;
      });
      await setImmediate();
    }
  };
  let count = 0;
  const working = Promise.all([
    attempt(async () => {
      const filter = aSavedFilter({ orgId, createdBy, name: `made ${count++}` });
      await backend.unitOfWork(orgScope(orgId), (tx) => tx.filters.add(filter));
      requests.made.push(filter);
    }),
    attempt(async () => {
      const inventoryId = `pc-${count++ % 80}`;
      await backend.inventoryStore.store({
        ...{ inventory: anInventory({ hostname: inventoryId }, { inventoryId }), orgId, siteId: null },
        ...{ source: 'report', now: Date.now() },
      });
      requests.reported.push(inventoryId);
    }),
  ]);
  const begun = Object.assign(requests, {
    stop: async () => {
      isOver = true;
      await working;
    },
  });
  under.push(begun);
  return begun;
}

const linesOf = (text: string) =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('{"kind":"auditEntry"'));

/** Without the time of update, which a load changes. */
const stable = (text: string) => linesOf(text).map((line) => line.replace(/"updatedAt":"[^"]*"/, ''));

test('a partner moves while both cells are under load', async () => {
  const inSource = keepChanging(source.backend, moving.orgId, moving.userId);
  const beside = keepChanging(source.backend, staying.orgId, staying.userId);
  const inTarget = keepChanging(target.backend, settled.orgId, settled.userId);
  while (inSource.made.length < 20 || inSource.reported.length < 20) await setImmediate();

  const { partnerMaintenance } = source.backend.databaseTools;
  const { partnerId } = moving;
  expect(await partnerMaintenance.findTies(partnerId)).toStrictEqual({
    ...{ staff: [{ id: staff.id, email: staff.email }], foreignKeys: 0, waitingMails: 0 },
  });
  expect(await partnerMaintenance.remove(partnerId, entry)).toBe('not-in-maintenance');
  await partnerMaintenance.begin(partnerId, entry, () => undefined);
  const counts = [inSource.made.length, inSource.reported.length];
  const text = await dump(source.backend, { partnerId });
  while (inSource.refused < 20) await setImmediate();
  const loaded = await loadDump(target.backend, text);
  expect(loaded.ok ? [] : loaded.error).toStrictEqual([]);

  // Everything that succeeded is in the new place, and nothing changed after the mark.
  await inSource.stop();
  expect([inSource.made.length, inSource.reported.length]).toStrictEqual(counts);
  const moved = await dump(target.backend, { partnerId });
  expect(stable(moved)).toStrictEqual(stable(text));
  for (const { id } of inSource.made) expect(moved).toContain(id);
  for (const name of inSource.reported) expect(moved).toContain(`"inventoryIds":["${name}"]`);
  expect(stable(await dump(source.backend, { partnerId }))).toStrictEqual(stable(text));

  // A machine that reports to the new service is still the same device.
  const devices = await target.query<{ count: number }>('owner', 'select count(*)::int as count from device');
  const known = inSource.reported[0] ?? '';
  await target.backend.inventoryStore.store({
    ...{
      inventory: anInventory({ hostname: known }, { inventoryId: known }),
      orgId: moving.orgId,
      siteId: null,
    },
    ...{ source: 'report', now: Date.now() },
  });
  await inTarget.stop();
  await beside.stop();
  expect([beside.refused, inTarget.refused]).toStrictEqual([0, 0]);
  const after = await target.query<{ count: number }>(
    'owner',
    `select count(*)::int as count from device where org_id = '${moving.orgId}'`,
  );
  expect(after[0]?.count).toBe(linesOf(moved).filter((line) => line.startsWith('{"kind":"device"')).length);
  expect(devices[0]?.count).toBeGreaterThan(0);

  // Only the partner's rows are removed from the old service.
  const others = await dump(source.backend, { partnerId: staying.partnerId });
  expect(await partnerMaintenance.remove(partnerId, entry)).toBeNull();
  expect(await dump(source.backend, { partnerId: staying.partnerId })).toBe(others);
  const idsOf = (dumped: string) => linesOf(dumped).map((line) => (JSON.parse(line) as { id: string }).id);
  expect(idsOf(await dump(source.backend)).filter((id) => idsOf(text).includes(id))).toStrictEqual([
    staff.id,
  ]);
  expect(await partnerMaintenance.isInMaintenance(partnerId)).toBe(false);
}, 120_000);

test('an owner who is no superuser removes a partner in maintenance, and sees no other', async () => {
  const owner = `fleetsift_owner_${randomBytes(4).toString('hex')}`;
  const database = await createFreshDatabase(inject('databaseUrl'));
  const name = new URL(database.url).pathname.slice(1);
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`create role ${owner} login createrole password 'owner'`);
  await admin.query(`alter database ${name} owner to ${owner}`);
  const url = Object.assign(new URL(database.url), { username: owner, password: 'owner' }).href;
  const backend = await openPostgresBackend({ ...BACKEND_OPTIONS, url, hashPassword: async () => ANY_HASH });
  try {
    const [leaving, other] = [await createTenant(backend, 2), await createTenant(backend)];
    await loadFleet(backend, [...everythingOf(leaving), ...everythingOf(other)]);
    const { partnerMaintenance } = backend.databaseTools;
    const rest = await dump(backend, { partnerId: other.partnerId });
    expect(await partnerMaintenance.remove(leaving.partnerId, entry)).toBe('not-in-maintenance');
    await partnerMaintenance.begin(leaving.partnerId, entry, () => undefined);
    await asOwner(url, async (client) => {
      expect((await client.query('select id from partner')).rows).toStrictEqual([{ id: leaving.partnerId }]);
    });
    expect(await partnerMaintenance.remove(leaving.partnerId, entry)).toBeNull();
    expect(await dump(backend, { partnerId: other.partnerId })).toBe(rest);
    const { rows } = await admin.query(
      `select (select count(*)::int from device where org_id = $1) as devices,
         (select count(*)::int from device_search where org_id = $1) as searched,
         (select count(*)::int from app_user where org_id = $1) as users,
         (select count(*)::int from audit_log where org_id = $1) as entries`,
      [leaving.orgId],
    );
    expect(rows).toStrictEqual([{ devices: 0, searched: 0, users: 0, entries: 1 }]);
  } finally {
    await backend.close();
    await admin.end();
    await database.drop();
    await asOwner(inject('databaseUrl'), (client) => client.query(`drop role ${owner}`));
  }
});

async function asOwner<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('a partner with queued mails is not removed', async () => {
  const tenant = await createTenant(source.backend);
  const to = aMailRecipient({ userId: tenant.userId });
  await source.backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mail(aMail({ to })));
  const { partnerMaintenance } = source.backend.databaseTools;
  await partnerMaintenance.begin(tenant.partnerId, entry, () => undefined);
  expect(await partnerMaintenance.remove(tenant.partnerId, entry)).toBe('mails-waiting');
});
