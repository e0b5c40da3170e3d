/** Finds the devices that an inventory may be of, and lets one inventory of a machine in at a time. */
import type { PoolClient } from 'pg';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { KnownMachine, ReportedMachine } from '#domain/inventory/find-machine.ts';
import { macSpellings } from '#domain/inventory/mac-key.ts';
import { machineKeys } from '#domain/inventory/machine-keys.ts';

/** A machine with what of its device decides how the inventory is written. */
export interface StoredMachine extends KnownMachine {
  readonly status: DeviceStatus;
  readonly hasReported: boolean;
  /** Another one after every change of the device's own row. */
  readonly version: string;
}

/**
 * Waits until no other transaction stores an inventory that has a key in common with this one, in the one order that
 * all of them keep. Of two inventories of a new machine, the second then finds the device of the first.
 */
export async function lockMachine(
  client: PoolClient,
  orgId: OrgId,
  { inventoryId, keys }: ReportedMachine,
): Promise<void> {
  const { serial, uuid, macs } = keys;
  const names = [
    `${orgId} id ${inventoryId}`,
    ...(serial === null ? [] : [`${orgId} serial ${serial}`]),
    ...(uuid === null ? [] : [`${orgId} uuid ${uuid}`]),
    ...macs.map((mac) => `${orgId} mac ${mac}`),
  ];
  await client.query(
    `select pg_advisory_xact_lock(hash)
     from (select distinct hashtextextended(name, 0) as hash from unnest($1::text[]) name order by hash) h`,
    [names],
  );
}

interface MachineRow {
  readonly id: DeviceId;
  readonly status: DeviceStatus;
  readonly has_reported: boolean;
  readonly version: string;
  readonly is_named_so: boolean;
  readonly system_uuid: string | null;
  readonly serial_number: string | null;
  readonly mac_addresses: readonly string[];
}

/**
 * The devices of the organization that share a key with the machine, as far as those keys go. Where a great many go by
 * one inventoryId, as the clones of one image do, those that have its serial number or UUID come first.
 */
export async function readKnownMachines(
  client: PoolClient,
  orgId: OrgId,
  { inventoryId, keys }: ReportedMachine,
): Promise<readonly StoredMachine[]> {
  const { rows } = await client.query<MachineRow>({
    name: 'known machines',
    text: KNOWN_MACHINES,
    values: [orgId, inventoryId, keys.serial, keys.uuid, keys.macs.flatMap(macSpellings)],
  });
  return rows.map((row) => ({
    id: row.id,
    inventoryIds: new Set(row.is_named_so ? [inventoryId] : []),
    keys: machineKeys({
      serialNumber: row.serial_number,
      systemUuid: row.system_uuid,
      macAddresses: row.mac_addresses,
    }),
    status: row.status,
    hasReported: row.has_reported,
    version: row.version,
  }));
}

/** More clones that go by one name and have neither serial numbers nor UUIDs are not told apart anyway. */
const MAX_CANDIDATES = 200;

const KNOWN_MACHINES = `
  select d.id, d.status, d.reports_since is not null as has_reported, d.xmin::text as version, d.system_uuid,
    h.serial_number,
    exists (
      select 1 from device_inventory_id i where i.device_id = d.id and i.inventory_id = $2
    ) as is_named_so,
    array(
      select n.mac_address from device_network n where n.device_id = d.id and n.mac_address = any($5)
    ) as mac_addresses
  from (
    select device_id from device_inventory_id where org_id = $1 and inventory_id = $2
    union
    select device_id from device_hardware
    where org_id = $1 and coalesce(serial_number_lc, serial_number collate "C") = $3
    union
    select id from device where org_id = $1 and system_uuid = $4
    union
    select device_id from device_network where org_id = $1 and mac_address = any($5)
  ) c
  join device d on d.id = c.device_id
  left join device_hardware h on h.device_id = d.id
  order by coalesce(h.serial_number_lc, h.serial_number collate "C") = $3 desc nulls last,
    d.system_uuid = $4 desc nulls last, d.id
  limit ${MAX_CANDIDATES}`;
