/** Single inventories on PostgreSQL: one transaction each, the device's row locked against another of its own. */
import type { Pool, PoolClient } from 'pg';
import type { InventoryStore } from '#application/ports/fleet/inventory-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import { type DeviceHardware, NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { type DeviceInventory, stateFromInventory } from '#domain/inventory/device-inventory.ts';
import { err, ok } from '#domain/result.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { CopyValue } from './copy-text.ts';
import { foldedCompanion } from './derived-columns.ts';
import {
  HARDWARE_COLUMNS,
  isoOrNull,
  NETWORK_COLUMN_NAMES,
  networkRows,
  SOFTWARE_COLUMN_NAMES,
  softwareRow,
} from './device-rows.ts';
import type { ResolveTitleIds } from './software-titles.ts';

export interface InventoryStoreDeps {
  /** Connects as the service's unprivileged role. */
  readonly pool: Pool;
  readonly resolveTitleIds: ResolveTitleIds;
  readonly newId: IdGenerator;
}

export function makeInventoryStore(deps: InventoryStoreDeps): InventoryStore {
  return async (orgId, inventory, now) => {
    const titleIds = await deps.resolveTitleIds(
      new Set((inventory.fields.software ?? []).map(({ name }) => name)),
    );
    const client = await deps.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('app.scope', 'organization', true), set_config('app.org_ids', $1, true), set_config('app.partner_id', '', true)`,
        [orgId],
      );
      const outcome = await write(deps, client, titleIds, orgId, inventory, now);
      await client.query(outcome.ok ? 'commit' : 'rollback');
      client.release();
      return outcome;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      client.release(true);
      throw error;
    }
  };
}

async function write(
  deps: InventoryStoreDeps,
  client: PoolClient,
  titleIds: ReadonlyMap<string, number>,
  orgId: OrgId,
  inventory: DeviceInventory,
  now: number,
) {
  const { rows: organizations } = await client.query('select 1 from organization where id = $1', [orgId]);
  if (organizations.length === 0) return err('unknown-organization' as const);
  // Two inventories of one new device at once: the second waits here and then finds it.
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `${orgId} ${inventory.inventoryId}`,
  ]);
  const { rows: known } = await client.query<{ id: DeviceId }>(
    'select id from device where org_id = $1 and inventory_id = $2 for update',
    [orgId, inventory.inventoryId],
  );
  const created = known[0] === undefined;
  if (created && inventory.kind === 'partial') return err('partial-for-unknown-device' as const);
  const deviceId = known[0]?.id ?? deps.newId<'device'>();
  const columns = deviceColumns(inventory, now);
  if (created) {
    await insertRow(client, 'device', {
      id: deviceId,
      org_id: orgId,
      inventory_id: inventory.inventoryId,
      enrolled_at: isoOrNull(now),
      ...columns,
    });
  } else {
    await updateRow(client, deviceId, columns);
  }
  await writeParts(client, titleIds, deviceId, orgId, inventory);
  return ok({ deviceId, created });
}

/** The columns of the device's own row that the inventory speaks of. */
function deviceColumns(inventory: DeviceInventory, now: number): Record<string, CopyValue> {
  const { fields } = inventory;
  const { status, lastSeenAt } = stateFromInventory(inventory, now);
  const columns: Record<string, CopyValue> = {};
  if (status !== undefined) columns.status = status;
  if (lastSeenAt !== undefined) columns.last_seen_at = isoOrNull(lastSeenAt);
  if (fields.hostname !== undefined) {
    columns.hostname = fields.hostname;
    columns.hostname_lc = foldCase(fields.hostname);
  }
  if (fields.deviceRole !== undefined) columns.device_role = fields.deviceRole;
  if (fields.osType !== undefined) columns.os_type = fields.osType;
  if (fields.architecture !== undefined) columns.architecture = fields.architecture;
  if (fields.uptimeSeconds !== undefined) columns.uptime_seconds = fields.uptimeSeconds;
  const texts = {
    os_version: fields.osVersion,
    os_build: fields.osBuild,
    agent_version: fields.agentVersion,
    last_user: fields.lastUser,
  };
  for (const [column, text] of Object.entries(texts)) {
    if (text === undefined) continue;
    columns[column] = text;
    columns[`${column}_lc`] = foldedCompanion(text);
  }
  return columns;
}

/** The rows beside the device's own, replaced where the inventory carries them. */
async function writeParts(
  client: PoolClient,
  titleIds: ReadonlyMap<string, number>,
  id: DeviceId,
  orgId: OrgId,
  { fields }: DeviceInventory,
): Promise<void> {
  if (fields.hardware !== undefined) await writeHardware(client, id, orgId, fields.hardware);
  if (fields.network !== undefined) {
    await client.query('delete from device_network where device_id = $1', [id]);
    for (const row of networkRows({ id, orgId, network: fields.network })) {
      await insertRow(client, 'device_network', zip(NETWORK_COLUMN_NAMES, row));
    }
  }
  if (fields.software !== undefined) {
    await client.query('delete from device_software where device_id = $1', [id]);
    const row = softwareRow({ id, orgId, software: fields.software }, titleIds);
    if (row !== null) await insertRow(client, 'device_software', zip(SOFTWARE_COLUMN_NAMES, row));
  }
}

/** Changes the hardware that is carried, and that alone; a full inventory carries all of it. */
async function writeHardware(
  client: PoolClient,
  id: DeviceId,
  orgId: OrgId,
  carried: Partial<DeviceHardware>,
): Promise<void> {
  const device = { id, orgId, hardware: { ...NO_HARDWARE, ...carried } };
  const isCarried = new Set(
    Object.keys(carried).flatMap((key) => {
      const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return [column, `${column}_lc`];
    }),
  );
  const columns = Object.entries(HARDWARE_COLUMNS).filter(([name]) => isCarried.has(name));
  const changes = columns.map(([name]) => `${name} = excluded.${name}`).join(', ');
  if (columns.length > 0) {
    const row = Object.fromEntries(columns.map(([name, column]) => [name, column(device)]));
    await insertRow(
      client,
      'device_hardware',
      { device_id: id, org_id: orgId, ...row },
      `on conflict (device_id) do update set ${changes}`,
    );
  }
}

function zip(names: readonly string[], values: readonly CopyValue[]): Record<string, CopyValue> {
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}

async function insertRow(
  client: PoolClient,
  table: string,
  row: Record<string, CopyValue>,
  onConflict = '',
): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((_, i) => `$${i + 1}`).join(', ');
  await client.query(
    `insert into ${table} (${names.join(', ')}) values (${values}) ${onConflict}`,
    Object.values(row),
  );
}

async function updateRow(client: PoolClient, id: DeviceId, row: Record<string, CopyValue>): Promise<void> {
  const names = Object.keys(row);
  if (names.length === 0) return;
  await client.query(
    `update device set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(row)],
  );
}
