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
import { runPrepared } from '#adapters/postgres/bulk/prepared.ts';
import { holdTitles, takeTitles } from '#adapters/postgres/bulk/software-titles.ts';
import { removeLostTitles } from '#adapters/postgres/bulk/upkeep/unused-titles.ts';
import { type Device, type DeviceHardware, NO_HARDWARE } from '#domain/device/device.ts';
import type { TitleLimit } from '#domain/device/title-quota.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import type { StoredMachine } from './known-machines.ts';

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
 * Replaces the parts that the inventory carries and that have changed since the last one, which is few. A limit if the
 * organization may not have all of its titles, or `moved-on` if one was removed meanwhile; the transaction is to be rolled
 * back then. `makesRoom` as in {@link writeSoftware}.
 */
export async function replaceParts(
  client: PoolClient,
  id: DeviceId,
  orgId: OrgId,
  { fields }: DeviceInventory,
  makesRoom: boolean,
): Promise<'replaced' | 'moved-on' | TitleLimit> {
  if (fields.hardware !== undefined) await writeHardware(client, id, orgId, fields.hardware);
  if (fields.network !== undefined) await writeNetwork(client, { id, orgId, network: fields.network });
  if (fields.software === undefined) return 'replaced';
  return writeSoftware(client, { id, orgId, software: fields.software }, makesRoom);
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

/**
 * `makesRoom`: titles that the organization has lost, this device's own among them, are removed before its quota is
 * checked, while all other reports of its software wait.
 */
async function writeSoftware(
  client: PoolClient,
  device: DevicePart<'software'>,
  makesRoom: boolean,
): Promise<'replaced' | 'moved-on' | TitleLimit> {
  const { id, orgId, software } = device;
  if (await hasSoftware(client, device)) return 'replaced';
  await holdTitles(client, orgId, makesRoom);
  if (makesRoom || software.length === 0) {
    await client.query('delete from device_software where device_id = $1', [id]);
  }
  if (makesRoom) await removeLostTitles(client, orgId);
  const titleIds = await takeTitles(client, orgId, [...new Set(software.map(({ name }) => name))]);
  if (typeof titleIds === 'string') return titleIds;
  const row = softwareRow(device, titleIds);
  if (row !== null) {
    await insertRow(
      client,
      'device_software',
      zip(SOFTWARE_COLUMN_NAMES, row),
      'on conflict (device_id) do update set title_ids = excluded.title_ids, versions = excluded.versions',
    );
  }
  return 'replaced';
}

/** Whether the device has just this software already. */
async function hasSoftware(
  client: PoolClient,
  { id, software }: Pick<Device, 'id' | 'software'>,
): Promise<boolean> {
  const { rows } = await runPrepared<{ name: string; version: string | null }>(client, SOFTWARE_OF, [id]);
  const versions = new Map(software.map(({ name, version }) => [name, version]));
  return rows.length === versions.size && rows.every(({ name, version }) => versions.get(name) === version);
}

const SOFTWARE_OF = `select t.name, u.version
  from device_software s cross join unnest(s.title_ids, s.versions) u(title_id, version)
  join software_title t on t.id = u.title_id where s.device_id = $1`;

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
