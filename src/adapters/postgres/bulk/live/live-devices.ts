/** Reads whole devices in the transaction that evaluates filters. */
import type { PoolClient } from 'pg';
import {
  DEVICE_COLUMNS,
  DEVICE_PARTS,
  DEVICE_TABLES,
  type DeviceRow,
} from '#adapters/postgres/bulk/dumps/dump-queries.ts';
import type { FilterReads } from '#application/ports/live/memberships.ts';
import type { Device, DevicePatch, InstalledSoftware, NetworkInterface } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';

const BATCH_SIZE = 500;

const SELECT = `select ${DEVICE_COLUMNS}, d.pending_patches as "pendingPatchCount",
    d.critical_alerts as "criticalAlertCount"
  from ${DEVICE_TABLES}`;

type LiveDeviceRow = DeviceRow & Pick<Device, 'pendingPatchCount' | 'criticalAlertCount'>;

/** Which of a device's lists are read. Each is slow to read. */
export type PartsRead = Readonly<Record<'network' | 'software' | 'patches', boolean>>;

/** Without any `reads`, all parts are read. */
export function partsRead(reads: Iterable<FilterReads>): PartsRead {
  const all = [...reads];
  const isRead = (prefix: string) =>
    all.length === 0 || all.some(({ fields }) => [...fields].some((key) => key.startsWith(prefix)));
  return { network: isRead('network.'), software: isRead('software'), patches: isRead('patches.') };
}

/** Leaves out devices of organizations outside `orgIds`. */
export async function readDevices(
  client: PoolClient,
  orgIds: readonly OrgId[],
  ids: readonly DeviceId[],
  parts: PartsRead,
): Promise<ReadonlyMap<DeviceId, Device>> {
  const devices = new Map<DeviceId, Device>();
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batch = [ids.slice(from, from + BATCH_SIZE), orgIds];
    const { rows } = await client.query<LiveDeviceRow>(
      `${SELECT} where d.id = any($1) and d.org_id = any($2)`,
      batch,
    );
    for (const device of await withParts(client, rows, parts)) devices.set(device.id, device);
  }
  return devices;
}

/** If the caller stops early, the cursor stays open until the transaction ends. */
export async function* streamDevices(
  client: PoolClient,
  orgId: OrgId,
  parts: PartsRead,
): AsyncGenerator<Device, void> {
  await client.query(`declare live_devices no scroll cursor for ${SELECT} where d.org_id = $1`, [orgId]);
  for (;;) {
    const { rows } = await client.query<LiveDeviceRow>(`fetch ${BATCH_SIZE} from live_devices`);
    yield* await withParts(client, rows, parts);
    if (rows.length < BATCH_SIZE) break;
  }
  await client.query('close live_devices');
}

async function withParts(
  client: PoolClient,
  devices: readonly LiveDeviceRow[],
  parts: PartsRead,
): Promise<readonly Device[]> {
  if (devices.length === 0) return [];
  const ids = devices.map(({ id }) => id);
  const read = async <T extends object>(part: keyof PartsRead) => {
    if (!parts[part]) return new Map<string, (T & { readonly deviceId: string })[]>();
    const { rows } = await client.query<T & { readonly deviceId: string }>(DEVICE_PARTS[part], [ids]);
    return Map.groupBy(rows, ({ deviceId }) => deviceId);
  };
  const network = await read<NetworkInterface>('network');
  const software = await read<InstalledSoftware>('software');
  const patches = await read<DevicePatch>('patches');
  return devices.map(({ custom, patchesReported, ...device }) => ({
    ...device,
    custom: new Map(Object.entries(custom ?? {})),
    network: network.get(device.id) ?? [],
    // No filter reads volumes.
    volumes: [],
    software: software.get(device.id) ?? [],
    patches: patchesReported ? (patches.get(device.id) ?? []) : null,
  }));
}
