/** Writes the rows of one device: its own, and those of its hardware, interfaces and software. */
import type { PoolClient } from 'pg';
import type { CopyValue } from '#adapters/postgres/bulk/copy-text.ts';
import {
  HARDWARE_COLUMNS,
  NETWORK_COLUMN_NAMES,
  networkRows,
  SOFTWARE_COLUMN_NAMES,
  softwareRow,
} from '#adapters/postgres/bulk/device-rows.ts';
import { noteTitlesOf } from '#adapters/postgres/bulk/software-titles.ts';
import { type Device, type DeviceHardware, NO_HARDWARE } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { StoredMachine } from './known-machines.ts';
import { runPrepared } from './prepared.ts';

/** Inserts one row. Table and column names are our own, never a user's. */
export async function insertRow(
  client: PoolClient,
  table: string,
  row: Record<string, CopyValue>,
  onConflict = '',
): Promise<number> {
  const names = Object.keys(row);
  const values = names.map((_, i) => `$${i + 1}`).join(', ');
  const { rowCount } = await runPrepared(
    client,
    `insert into ${table} (${names.join(', ')}) values (${values}) ${onConflict}`,
    Object.values(row),
  );
  return rowCount ?? 0;
}

/**
 * Changes these columns of a device's own row, which is locked until the transaction ends whether there are any or not.
 * False if the row is not of this version any more.
 */
export async function updateDevice(
  client: PoolClient,
  orgId: OrgId,
  { id, version }: Pick<StoredMachine, 'id' | 'version'>,
  columns: Record<string, CopyValue>,
): Promise<boolean> {
  const names = Object.keys(columns);
  const asKnown = 'id = $1 and org_id = $2 and xmin::text = $3';
  const { rowCount } = await runPrepared(
    client,
    names.length === 0
      ? `select 1 from device where ${asKnown} for update`
      : `update device set ${names.map((name, i) => `${name} = $${i + 4}`).join(', ')} where ${asKnown}`,
    [id, orgId, version, ...Object.values(columns)],
  );
  return rowCount === 1;
}

/**
 * Replaces the parts that the inventory carries and that have changed since the last one, which is few.
 * `titleIds` has the id of every software title in it.
 */
export async function replaceParts(
  client: PoolClient,
  titleIds: ReadonlyMap<string, number>,
  id: DeviceId,
  orgId: OrgId,
  { fields }: DeviceInventory,
): Promise<void> {
  if (fields.hardware !== undefined) await writeHardware(client, id, orgId, fields.hardware);
  if (fields.network !== undefined) await writeNetwork(client, { id, orgId, network: fields.network });
  if (fields.software === undefined) return;
  if (await writeSoftware(client, { id, orgId, software: fields.software }, titleIds)) {
    await noteTitlesOf(client, orgId, titleIds.values());
  }
}

type DevicePart<K extends keyof Device> = Pick<Device, 'id' | 'orgId' | K>;

async function writeNetwork(client: PoolClient, device: DevicePart<'network'>): Promise<void> {
  const rows = networkRows(device);
  const { rows: known } = await runPrepared<Record<string, CopyValue>>(
    client,
    `select ${NETWORK_COLUMN_NAMES.join(', ')} from device_network where device_id = $1 order by position`,
    [device.id],
  );
  const isSame = rows.every((row, i) => NETWORK_COLUMN_NAMES.every((name, n) => known[i]?.[name] === row[n]));
  if (isSame && known.length === rows.length) return;
  await client.query('delete from device_network where device_id = $1', [device.id]);
  for (const row of rows) await insertRow(client, 'device_network', zip(NETWORK_COLUMN_NAMES, row));
}

/** Whether it was another set before. */
async function writeSoftware(
  client: PoolClient,
  device: DevicePart<'software'>,
  titleIds: ReadonlyMap<string, number>,
): Promise<boolean> {
  const row = softwareRow(device, titleIds);
  if (row === null) {
    await client.query('delete from device_software where device_id = $1', [device.id]);
    return false;
  }
  const changed = await insertRow(
    client,
    'device_software',
    zip(SOFTWARE_COLUMN_NAMES, row),
    `on conflict (device_id) do update set title_ids = excluded.title_ids, versions = excluded.versions
     where (device_software.title_ids, device_software.versions)
       is distinct from (excluded.title_ids, excluded.versions)`,
  );
  return changed > 0;
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
  const names = columns.map(([name]) => name);
  const changes = names.map((name) => `${name} = excluded.${name}`).join(', ');
  const isChanged = names
    .map((name) => `device_hardware.${name} is distinct from excluded.${name}`)
    .join(' or ');
  const row = Object.fromEntries(columns.map(([name, column]) => [name, column(device)]));
  await insertRow(
    client,
    'device_hardware',
    { device_id: id, org_id: orgId, ...row },
    `on conflict (device_id) do update set ${changes} where ${isChanged}`,
  );
}

function zip(names: readonly string[], values: readonly CopyValue[]): Record<string, CopyValue> {
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? null]));
}
