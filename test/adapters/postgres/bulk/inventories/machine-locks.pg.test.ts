/** However many keys an inventory has, it takes few of the locks that all of PostgreSQL shares. */
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { lockMachine } from '#adapters/postgres/bulk/inventories/known-machines.ts';
import { reportedMachine } from '#domain/inventory/find-machine.ts';
import { anInventory, newId, SOME_INSTANT } from '#test/support/builders.ts';
import { createPostgresWorld, type PostgresWorld } from '#test/support/database/postgres-world.ts';
import { reportInventory } from '#test/support/inventories.ts';
import { createTenant } from '#test/support/tenant.ts';

const MOST_LOCKS = 256;

let world: PostgresWorld;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
});
afterAll(() => world.close());

const macOf = (number: number) =>
  `44:85:00:00:${(number >> 8).toString(16).padStart(2, '0')}:${(number & 255).toString(16).padStart(2, '0')}`;

const machineWith = (macAddresses: readonly string[]) =>
  reportedMachine(anInventory({}, { identity: { systemUuid: null, macAddresses } }));

/** The advisory locks that an inventory of the machine takes. */
async function locksOf(
  orgId: ReturnType<typeof newId<'organization'>>,
  machine: ReturnType<typeof machineWith>,
) {
  return world.connected('app', async (client) => {
    await client.query('begin');
    await lockMachine(client as PoolClient, orgId, machine);
    const { rows } = await client.query<{ lock: string }>(
      `select classid || ' ' || objid as lock from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    );
    await client.query('rollback');
    return new Set(rows.map(({ lock }) => lock));
  });
}

test('a report has at most 256 locks, whatever its addresses are', async () => {
  const { orgId } = await createTenant(world.backend);
  // Its changed devices are marked, which takes one more.
  await world.query('owner', 'alter table live_organization no force row level security');
  await world.query('owner', "insert into live_organization (org_id, silence) values ($1, '0')", [orgId]);
  // More than an inventory may have, so they need every lock of machines, as a thousand chosen ones can.
  const macAddresses = Array.from({ length: 5_000 }, (_, i) => macOf(i));
  const software = [{ name: 'Zoom', version: '1' }];
  const inventory = anInventory({ software }, { identity: { systemUuid: null, macAddresses } });
  const held: number[] = [];
  const stored = await reportInventory(world.backend, orgId, inventory, SOME_INSTANT, async () => {
    const [row] = await world.query<{ count: number }>(
      'owner',
      `select count(*)::int as count from pg_locks
       where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    held.push(row?.count ?? 0);
    return null;
  });
  expect(stored.ok).toBe(true);
  expect(held).toHaveLength(1);
  expect(held[0]).toBeGreaterThan(200);
  expect(held[0]).toBeLessThanOrEqual(MOST_LOCKS);
});

test('two machines that share an address share a lock, but only within an organization', async () => {
  const orgId = newId<'organization'>();
  const [one, other, elsewhere] = [
    await locksOf(orgId, machineWith([macOf(1)])),
    await locksOf(orgId, machineWith([macOf(1)])),
    await locksOf(newId(), machineWith([macOf(1)])),
  ];
  expect(one.intersection(other).size).toBeGreaterThan(0);
  expect(one.intersection(elsewhere).size).toBe(0);
});
