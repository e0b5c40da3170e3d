/** Writes the rows of one device: its own, and those of its hardware, interfaces and software. */
import type { PoolClient } from 'pg';
import { type DeviceHardware, NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { CopyValue } from './copy-text.ts';
import {
  HARDWARE_COLUMNS,
  NETWORK_COLUMN_NAMES,
  networkRows,
  SOFTWARE_COLUMN_NAMES,
  softwareRow,
} from './device-rows.ts';
import { noteTitlesOf } from './software-titles.ts';

/** Inserts one row. Table and column names are our own, never a user's. */
export async function insertRow(
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

/** Changes these columns of a device's own row. */
export async function updateDevice(
  client: PoolClient,
  id: DeviceId,
  columns: Record<string, CopyValue>,
): Promise<void> {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  await client.query(
    `update device set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(columns)],
  );
}

/** Replaces the parts that the inventory carries. `titleIds` has the id of every software title in it. */
export async function replaceParts(
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
    await noteTitlesOf(client, orgId, titleIds.values());
  }
}

/** Changes only the hardware that the inventory carries; a full inventory carries all of it. */
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
  if (columns.length === 0) return;
  const changes = columns.map(([name]) => `${name} = excluded.${name}`).join(', ');
  const row = Object.fromEntries(columns.map(([name, column]) => [name, column(device)]));
  await insertRow(
    client,
    'device_hardware',
    { device_id: id, org_id: orgId, ...row },
    `on conflict (device_id) do update set ${changes}`,
  );
}

function zip(names: readonly string[], values: readonly CopyValue[]): Record<string, CopyValue> {
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}
