/** Simultaneous inventories of one machine, and other changes of its device at the same time. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { isDatabaseUnavailable } from '#adapters/postgres/database-error.ts';
import { openPostgresBackend } from '#adapters/postgres/postgres-backend.ts';
import { NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { aDevice, anAuditEntry, anInventory, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import {
  BACKEND_OPTIONS,
  createPostgresWorld,
  type PostgresWorld,
} from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { audibleFrom, isKnown, reportInventory } from '#test/support/inventories.ts';
import { inventoryWith } from '#test/support/machine-cases.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

let world: PostgresWorld;
let orgId: OrgId;

beforeAll(async () => {
  world = await createPostgresWorld(inject('databaseUrl'));
  orgId = (await createTenant(world.backend)).orgId;
});

afterAll(() => world.close());

const report = async (inventory: DeviceInventory): Promise<DeviceId> => {
  const stored = await reportInventory(world.backend, orgId, inventory, SOME_INSTANT);
  if (!stored.ok) throw new Error(`the inventory was refused: ${stored.error}`);
  return stored.value.deviceId;
};

const count = async (sql: string, ...values: readonly unknown[]) => {
  const [row] = await world.query<{ count: number }>('owner', `select count(*)::int as count ${sql}`, values);
  return row?.count;
};

/** Starts the work behind a transaction with these changes, which commits once the work waits. */
async function behindOpenTransaction<T>(
  change: (query: (sql: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  return world.connected('owner', async (client) => {
    await client.query('begin');
    await client.query(`set local app.scope = 'system'`);
    await change((sql, values) => client.query(sql, values));
    const done = work();
    await until(isSomebodyWaiting);
    await client.query('commit');
    return done;
  });
}

const isSomebodyWaiting = async () =>
  (await count(`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)) !==
  0;

const aMachine = () => ({ serial: `S-${newId()}`, uuid: newId() });

describe('simultaneous inventories of one machine', () => {
  test('in two services create one device', async () => {
    const other = await openPostgresBackend({ ...BACKEND_OPTIONS, url: world.url });
    const machine = aMachine();
    try {
      const stored = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          reportInventory(
            n % 2 === 0 ? world.backend : other,
            orgId,
            inventoryWith({ id: `${machine.uuid}-${n}`, ...machine }),
            SOME_INSTANT,
          ),
        ),
      );
      expect(new Set(stored.map((each) => each.ok && each.value.deviceId)).size).toBe(1);
      expect(stored.filter((each) => each.ok && each.value.created)).toHaveLength(1);
      const [first] = stored;
      const deviceId = first?.ok ? first.value.deviceId : null;
      expect(await count('from device_inventory_id where device_id = $1', deviceId)).toBe(10);
      expect(await count('from device_software where device_id = $1', deviceId)).toBe(0);
      expect(await count('from device_hardware where device_id = $1', deviceId)).toBe(1);
    } finally {
      await other.close();
    }
  });

  test('leave the software and addresses of one of them', async () => {
    const machine = aMachine();
    const given = Array.from({ length: 10 }, (_, n) => ({
      ...inventoryWith({ id: machine.uuid, ...machine }),
      fields: anInventory({
        hostname: `host-${n}`,
        hardware: { ...NO_HARDWARE, serialNumber: machine.serial },
        network: [{ ipAddress: `10.0.0.${n}`, publicIp: null, macAddress: null }],
        software: [{ name: `Tool ${n}`, version: null }],
      }).fields,
    }));
    const [deviceId = newId<'device'>()] = await Promise.all(given.map(report));
    const found = await world.backend.deviceReader.find(orgScope(orgId), deviceId);
    const { hostname = '', network, software } = found?.device ?? {};
    const n = Number(hostname.replace('host-', ''));
    expect(network).toStrictEqual(given[n]?.fields.network);
    expect(software).toStrictEqual(given[n]?.fields.software);
  });

  test('and of its clones create one device each', async () => {
    const clones = Array.from({ length: 5 }, aMachine);
    const id = newId();
    const rounds = await Promise.all(
      [...clones, ...clones].map((clone) => report(inventoryWith({ id, ...clone }))),
    );
    expect(new Set(rounds).size).toBe(5);
    expect(rounds.slice(0, 5)).toStrictEqual(rounds.slice(5));
  });
});

describe('an inventory', () => {
  test('waits for a load of its device, and keeps what only inventories know', async () => {
    const machine = aMachine();
    const inventory = inventoryWith({ id: machine.uuid, ...machine });
    const id = await report(inventory);
    const load = () =>
      loadFleet(world.backend, [
        aDevice({
          id,
          orgId,
          displayName: 'Desk',
          hardware: { ...NO_HARDWARE, serialNumber: machine.serial },
        }),
      ]);
    for (let round = 0; round < 5; round++) {
      const [, stored] = await Promise.all([load(), report(inventory), load(), report(inventory)]);
      expect(stored).toBe(id);
    }
    expect(await count('from device where id = $1 and reports_since is not null', id)).toBe(1);
    expect(await count('from device_hardware where device_id = $1', id)).toBe(1);
  });

  test('is stored as another device if its device is changed to another machine meanwhile', async () => {
    const machine = aMachine();
    const inventory = inventoryWith({ id: machine.uuid, ...machine });
    const id = await report(inventory);
    const stored = await behindOpenTransaction(
      async (query) => {
        await query('update device set last_seen_at = now() where id = $1', [id]);
        await query(
          `update device_hardware set serial_number = 'swapped', serial_number_lc = null where device_id = $1`,
          [id],
        );
      },
      () => report(inventory),
    );
    expect(stored).not.toBe(id);
    const kept = await world.backend.deviceReader.find(orgScope(orgId), id);
    expect(kept?.device.hardware.serialNumber).toBe('swapped');
  });

  test('is stored as a new device with all its parts if its device is deleted meanwhile', async () => {
    const machine = aMachine();
    const inventory = {
      ...inventoryWith({ id: machine.uuid, ...machine, macs: ['44:85:00:2b:90:bc'] }),
    };
    const id = await report(inventory);
    const stored = await behindOpenTransaction(
      (query) => query('delete from device where id = $1', [id]),
      () => report(inventory),
    );
    expect(stored).not.toBe(id);
    expect(await count('from device where id = $1', id)).toBe(0);
    const found = await world.backend.deviceReader.find(orgScope(orgId), stored);
    expect(found?.device).toMatchObject({ status: 'online', network: inventory.fields.network });
    expect(await isKnown(world.backend, orgId, machine.uuid)).toBe(true);
  });

  test('leaves its device online if it is marked as silent at the same time', async () => {
    const inventory = inventoryWith({ id: newId(), ...aMachine() });
    const id = await report(inventory);
    for (let round = 1; round <= 5; round++) {
      const later = SOME_INSTANT + round;
      await Promise.all([
        world.backend.markSilent(audibleFrom(later), 1_000),
        reportInventory(world.backend, orgId, inventory, later),
        world.backend.markSilent(audibleFrom(later), 1_000),
      ]);
      expect((await world.backend.deviceReader.find(orgScope(orgId), id))?.device.status).toBe('online');
    }
  });
});

test('inventories of a device that a load holds are put off, and nobody else waits for them', async () => {
  const inventory = inventoryWith({ id: newId(), ...aMachine() });
  const id = await report(inventory);
  await world.connected('owner', async (client) => {
    await client.query('begin');
    await client.query(`set local app.scope = 'system'`);
    await client.query('select 1 from device where id = $1 for update', [id]);
    let isOver = false;
    // More than the connections of any pool.
    const refusals = Array.from({ length: 12 }, () =>
      report(inventory).catch((error: unknown) => {
        isOver = true;
        return error;
      }),
    );
    await until(isSomebodyWaiting);
    await world.backend.auditLog(anAuditEntry({ orgId }));
    expect(isOver).toBe(false);
    for (const refused of await Promise.all(refusals)) {
      expect(isDatabaseUnavailable(refused)).toBe(true);
    }
    await client.query('rollback');
  });
  expect(await report(inventory)).toBe(id);
}, 60_000);

test('marking silent devices skips a locked device', async () => {
  const [held, free] = [
    await report(inventoryWith({ id: newId() })),
    await report(inventoryWith({ id: newId() })),
  ];
  await world.connected('owner', async (client) => {
    await client.query('begin');
    await client.query(`select set_config('app.scope', 'system', true)`);
    await client.query('select 1 from device where id = $1 for update', [held]);
    await world.backend.markSilent(audibleFrom(SOME_INSTANT + 1), 1_000);
    await client.query('rollback');
  });
  const statusOf = async (id: DeviceId) =>
    (await world.backend.deviceReader.find(orgScope(orgId), id))?.device.status;
  expect([await statusOf(held), await statusOf(free)]).toStrictEqual(['online', 'offline']);
});
