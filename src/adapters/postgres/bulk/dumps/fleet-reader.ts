/** Reads a whole fleet in one snapshot as the app role. Cursors keep only one batch in memory. */
import type { Pool, PoolClient } from 'pg';
import { streamInSnapshot } from '#adapters/postgres/bulk/with-scope.ts';
import type { FleetReader, FleetReading } from '#application/ports/fleet/fleet-reader.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { softwareInOrder } from '#domain/device/installed-software.ts';
import type { FleetRecord } from '#domain/fleet/fleet-record.ts';
import {
  DEVICE_PARTS,
  DEVICES,
  type DeviceRow,
  type DumpQuery,
  QUERIES_AFTER_DEVICES,
  queriesBeforeDevices,
  toDevice,
} from './dump-queries.ts';

const BATCH_SIZE = 500;

export function makeFleetReader(pool: Pool): FleetReader {
  return (reading) => streamInSnapshot(pool, SYSTEM_SCOPE, (client) => readFleet(client, reading));
}

async function* readFleet(
  client: PoolClient,
  { withCredentials, partnerId }: FleetReading,
): AsyncGenerator<readonly FleetRecord[], void> {
  for (const query of queriesBeforeDevices(withCredentials)) yield* readKind(client, query, partnerId);
  for await (const rows of fetchRows<DeviceRow>(client, DEVICES, [partnerId]))
    yield await readDevices(client, rows);
  for (const query of QUERIES_AFTER_DEVICES) yield* readKind(client, query, partnerId);
}

async function* readKind(
  client: PoolClient,
  { text, toRecord }: DumpQuery,
  partnerId: FleetReading['partnerId'],
): AsyncGenerator<readonly FleetRecord[], void> {
  for await (const rows of fetchRows<never>(client, text, [partnerId])) yield rows.map(toRecord);
}

async function* fetchRows<Row>(
  client: PoolClient,
  text: string,
  values: readonly unknown[],
): AsyncGenerator<readonly Row[], void> {
  await client.query(`declare dumped no scroll cursor for ${text}`, [...values]);
  for (;;) {
    const { rows } = await client.query(`fetch ${BATCH_SIZE} from dumped`);
    if (rows.length > 0) yield rows as Row[];
    if (rows.length < BATCH_SIZE) break;
  }
  await client.query('close dumped');
}

async function readDevices(
  client: PoolClient,
  devices: readonly DeviceRow[],
): Promise<readonly FleetRecord[]> {
  const ids = devices.map(({ id }) => id);
  const read = async <K extends keyof typeof DEVICE_PARTS>(part: K) => {
    const { rows } = await client.query<{ deviceId: string }>(DEVICE_PARTS[part], [ids]);
    return Map.groupBy(rows, ({ deviceId }) => deviceId);
  };
  const [network, volumes, software, patches, inventoryIds, knownKeys] = [
    await read('network'),
    await read('volumes'),
    await read('software'),
    await read('patches'),
    await read('inventoryIds'),
    await read('knownKeys'),
  ];
  return devices.map((device) => {
    const of = <T>(parts: ReadonlyMap<string, readonly object[]>) =>
      (parts.get(device.id) ?? []).map(({ deviceId: _, ...part }: { deviceId?: string }) => part as T);
    return toDevice(device, {
      network: of(network),
      volumes: of(volumes),
      software: softwareInOrder(of<InstalledSoftware>(software)),
      patches: of(patches),
      inventoryIds: of<{ readonly inventoryId: string }>(inventoryIds).map(({ inventoryId }) => inventoryId),
      knownKeys: of(knownKeys),
    });
  });
}
