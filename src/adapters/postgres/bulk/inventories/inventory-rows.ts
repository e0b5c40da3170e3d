import type { PoolClient } from 'pg';
import {
  hardwareRow,
  networkRows,
  type Row,
  softwareRow,
  volumeRows,
} from '#adapters/postgres/bulk/device-rows.ts';
import { runPrepared } from '#adapters/postgres/bulk/prepared.ts';
import { holdTitles, takeTitles } from '#adapters/postgres/bulk/software-titles.ts';
import { removeLostTitles } from '#adapters/postgres/bulk/upkeep/unused-titles.ts';
import {
  type Device,
  type DeviceHardware,
  type InstalledSoftware,
  NO_HARDWARE,
} from '#domain/device/device.ts';
import { entryKey, softwareEntries } from '#domain/device/installed-software.ts';
import type { TitleLimit } from '#domain/device/title-quota.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { DeviceInventory } from '#domain/inventory/device-inventory.ts';
import { lostKeys, type MachineKeys, machineKeys, toRemembered } from '#domain/inventory/machine-keys.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { StoredMachine } from './known-machines.ts';

export async function insertRow(client: PoolClient, table: string, row: Row, onConflict = ''): Promise<void> {
  const names = Object.keys(row);
  const values = names.map((_, i) => `$${i + 1}`).join(', ');
  await runPrepared(
    client,
    `insert into ${table} (${names.join(', ')}) values (${values}) ${onConflict}`,
    Object.values(row),
  );
}

/** Locks the row even if no column changes. Returns false if its version has changed. */
export async function updateDevice(
  client: PoolClient,
  orgId: OrgId,
  { id, version }: Pick<StoredMachine, 'id' | 'version'>,
  columns: Row,
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
 * Returns `replaced` or a reason why the caller must roll back: the limit that the titles would exceed, or
 * `moved-on` if another transaction removed one of the titles. For `makesRoom`, see {@link writeSoftware}.
 */
export async function replaceParts(
  client: PoolClient,
  id: DeviceId,
  orgId: OrgId,
  { fields }: DeviceInventory,
  makesRoom: boolean,
): Promise<'replaced' | 'moved-on' | TitleLimit> {
  if (fields.hardware !== undefined) await writeHardware(client, id, orgId, fields.hardware);
  if (fields.network !== undefined) {
    const rows = networkRows({ id, orgId, network: fields.network });
    await replaceRows(client, 'device_network', { id, orgId }, rows);
  }
  if (fields.volumes !== undefined) {
    const rows = volumeRows({ id, orgId, volumes: fields.volumes });
    await replaceRows(client, 'device_volume', { id, orgId }, rows);
  }
  if (fields.software === undefined) return 'replaced';
  return writeSoftware(client, { id, orgId, software: fields.software }, makesRoom);
}

/** Stores keys that the device is about to lose, so inventories with a former key still find it. */
export async function rememberKeys(
  client: PoolClient,
  { id, orgId }: Pick<Device, 'id' | 'orgId'>,
  keys: MachineKeys,
): Promise<void> {
  const remembered = toRemembered(keys);
  if (remembered.length === 0) return;
  const lists = [remembered.map(({ kind }) => kind), remembered.map(({ key }) => key)];
  await client.query(REMEMBER, [id, orgId, ...lists]);
}

const REMEMBER = `insert into device_known_key (device_id, org_id, kind, key)
  select $1, $2, kind, key from unnest($3::machine_key_kind[], $4::text[]) k(kind, key) on conflict do nothing`;

type DevicePart<K extends keyof Device> = Pick<Device, 'id' | 'orgId' | K>;

/** Writes nothing if all rows are unchanged. */
async function replaceRows(
  client: PoolClient,
  table: 'device_network' | 'device_volume',
  device: Pick<Device, 'id' | 'orgId'>,
  rows: readonly Row[],
): Promise<void> {
  const columns = COLUMNS[table];
  const { rows: known } = await runPrepared<Row>(
    client,
    `select ${columns} from ${table} where device_id = $1 order by position`,
    [device.id],
  );
  const isSame = known.every((old, i) =>
    Object.entries(old).every(([column, value]) => rows[i]?.[column] === value),
  );
  if (isSame && known.length === rows.length) return;
  await rememberKeys(client, device, lostKeys(macsOf(known), macsOf(rows)));
  await runPrepared(client, `delete from ${table} where device_id = $1`, [device.id]);
  await runPrepared(
    client,
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [jsonText(rows)],
  );
}

const COLUMNS = {
  device_network: `device_id, position, org_id, ip_address, ip_address_lc, public_ip, public_ip_lc, mac_address,
    mac_address_lc`,
  device_volume: 'device_id, position, org_id, name, filesystem, total_gb, free_gb',
};

function macsOf(rows: readonly Row[]): MachineKeys {
  const macAddresses = rows.flatMap(({ mac_address: mac }) => (typeof mac === 'string' ? [mac] : []));
  return machineKeys({ serialNumbers: [], systemUuids: [], macAddresses });
}

/**
 * With `makesRoom`, titles that no device of the organization has are removed before the quota is checked.
 * Meanwhile, the organization's other reports of software wait.
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
  const titleIds = await takeTitles(client, orgId, softwareEntries(software).values());
  if (typeof titleIds === 'string') return titleIds;
  const row = softwareRow(device, titleIds);
  if (row !== null) {
    await insertRow(
      client,
      'device_software',
      row,
      'on conflict (device_id) do update set title_ids = excluded.title_ids',
    );
  }
  return 'replaced';
}

async function hasSoftware(
  client: PoolClient,
  { id, software }: Pick<Device, 'id' | 'software'>,
): Promise<boolean> {
  const { rows } = await runPrepared<InstalledSoftware>(client, SOFTWARE_OF, [id]);
  const entries = softwareEntries(software);
  return rows.length === entries.size && rows.every((row) => entries.has(entryKey(row)));
}

const SOFTWARE_OF = `select t.name, v.version
  from device_software s cross join unnest(s.title_ids) u(id) left join software_version v on v.id = u.id
  join software_title t on t.id = coalesce(v.title_id, u.id) where s.device_id = $1`;

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
  const columns = Object.entries(hardwareRow(device)).filter(([name]) => isCarried.has(name));
  if (columns.length === 0) return;
  const names = columns.map(([name]) => name);
  const changes = names.map((name) => `${name} = excluded.${name}`).join(', ');
  const isChanged = names
    .map((name) => `device_hardware.${name} is distinct from excluded.${name}`)
    .join(' or ');
  await insertRow(
    client,
    'device_hardware',
    { device_id: id, org_id: orgId, ...Object.fromEntries(columns) },
    `on conflict (device_id) do update set ${changes} where ${isChanged}`,
  );
}
