import type { PoolClient } from 'pg';
import { runPrepared } from '#adapters/postgres/bulk/prepared.ts';
import type { DeviceStatus } from '#domain/device/device.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import type { KnownMachine, ReportedMachine } from '#domain/inventory/find-machine.ts';
import {
  fromRemembered,
  joinKeys,
  type MachineKeys,
  machineKeys,
  macSpellings,
  type RememberedKey,
  toRemembered,
} from '#domain/inventory/machine-keys.ts';
import type { EpochMs } from '#domain/time.ts';

export interface StoredMachine extends KnownMachine {
  readonly currentKeys: MachineKeys;
  readonly status: DeviceStatus;
  readonly lastUser: string | null;
  readonly hasReported: boolean;
  readonly inventoriedAt: EpochMs | null;
  /** Changes with every update of the row in `device`. */
  readonly version: string;
}

/**
 * The number of locks per organization. It is small, because PostgreSQL by default has room for about 6,400
 * locks in total. With the others that a report takes, it has at most 256.
 */
const MACHINE_LOCKS = 240;

/**
 * Waits for inventories that share a key with this one, so the second inventory of a new machine finds the
 * device of the first. An inventory can have a thousand addresses, so keys are hashed to a few locks. All
 * transactions take these locks in the same order, to prevent deadlocks.
 */
export async function lockMachine(
  client: PoolClient,
  orgId: OrgId,
  { inventoryId, keys }: ReportedMachine,
): Promise<void> {
  const names = [`id ${inventoryId}`, ...toRemembered(keys).map(({ kind, key }) => `${kind} ${key}`)];
  await runPrepared(client, LOCK, [orgId, names]);
}

const LOCK = `select pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended('machines of ' || $1::text || ' ' || abs(hashtextextended(name, 0) % ${MACHINE_LOCKS}), 0) as lock
    from unnest($2::text[]) name order by lock
  ) l`;

interface MachineRow {
  readonly id: DeviceId;
  readonly status: DeviceStatus;
  readonly last_user: string | null;
  readonly has_reported: boolean;
  readonly inventoried_at: Date | null;
  readonly version: string;
  readonly is_named_so: boolean;
  readonly system_uuid: string | null;
  readonly serial_number: string | null;
  readonly mac_addresses: readonly string[];
  readonly remembered: readonly RememberedKey[];
}

/**
 * A machine's `keys` contain only those of its current MAC addresses that the report names. Machines with the same
 * serial number or UUID come first, so the limit cannot drop them in favor of clones that share an inventoryId.
 */
export async function readKnownMachines(
  client: PoolClient,
  orgId: OrgId,
  { inventoryId, keys: { serials, uuids, macs } }: ReportedMachine,
): Promise<readonly StoredMachine[]> {
  const lookUps = LOOK_UPS.filter(({ by }) => ({ serials, uuids, macs })[by].length > 0);
  const values = [orgId, inventoryId, serials[0] ?? null, uuids[0] ?? null, macs.flatMap(macSpellings)];
  const { rows } = await runPrepared<MachineRow>(client, knownMachines(lookUps), values);
  return rows.map((row) => {
    const currentKeys = machineKeys({
      serialNumbers: [row.serial_number],
      systemUuids: [row.system_uuid],
      macAddresses: [],
    });
    const found = machineKeys({ serialNumbers: [], systemUuids: [], macAddresses: row.mac_addresses });
    return {
      id: row.id,
      inventoryIds: new Set(row.is_named_so ? [inventoryId] : []),
      keys: joinKeys({ ...currentKeys, macs: found.macs }, fromRemembered(row.remembered)),
      currentKeys,
      status: row.status,
      lastUser: row.last_user,
      hasReported: row.has_reported,
      inventoriedAt: row.inventoried_at?.getTime() ?? null,
      version: row.version,
    };
  });
}

interface LookUp {
  readonly by: 'serials' | 'uuids' | 'macs';
  /**
   * Selects the device's id, whether the device has the inventoryId (`is_named_so`), and whether it has the
   * serial number or UUID (`is_own`).
   */
  readonly finds: string;
}

const LOOK_UPS: readonly LookUp[] = [
  {
    by: 'serials',
    // `serial_number_lc` is NULL if folding does not change the serial number.
    finds: `select device_id, false, true from device_hardware where org_id = $1 and serial_number_lc = $3
      union all
      select device_id, false, true from device_hardware
      where org_id = $1 and serial_number = $3 and serial_number_lc is null
      union all select device_id, false, true from device_known_key where org_id = $1 and kind = 'serial' and key = $3`,
  },
  {
    by: 'uuids',
    finds: `select id, false, true from device where org_id = $1 and system_uuid = $4
      union all select device_id, false, true from device_known_key where org_id = $1 and kind = 'uuid' and key = $4`,
  },
  {
    by: 'macs',
    finds: `select device_id, false, false from device_network where org_id = $1 and mac_address = any($5)
      union all select device_id, false, false from device_known_key
      where org_id = $1 and kind = 'mac' and key = any($5)`,
  },
];

/**
 * Clones that share an inventoryId and have no serial number or UUID cannot be told apart, so more candidates
 * would not help.
 */
const MAX_CANDIDATES = 200;

function knownMachines(lookUps: readonly LookUp[]): string {
  const found = lookUps.map(({ finds }) => `union all ${finds}`).join(' ');
  const macAddresses = `array(
    select n.mac_address from device_network n where n.device_id = d.id and n.mac_address = any($5)
  )`;
  return `
    with given as (select $1::uuid, $2::text, $3::text, $4::text, $5::text[]),
    found as (
      select device_id, true as is_named_so, false as is_own from device_inventory_id
      where org_id = $1 and inventory_id = $2
      ${found}
    )
    select d.id, d.status, d.last_user, d.reports_since is not null as has_reported, d.inventoried_at,
      d.xmin::text as version, d.system_uuid, h.serial_number, c.is_named_so,
      (
        select coalesce(json_agg(json_build_object('kind', k.kind, 'key', k.key)), '[]')
        from device_known_key k where k.device_id = d.id
      ) as remembered,
      ${lookUps.some(({ by }) => by === 'macs') ? macAddresses : `'{}'::text[]`} as mac_addresses
    from (
      select device_id, bool_or(is_named_so) as is_named_so, bool_or(is_own) as is_own
      from found group by device_id
    ) c
    join device d on d.id = c.device_id
    left join device_hardware h on h.device_id = d.id
    order by c.is_own desc, d.id
    limit ${MAX_CANDIDATES}`;
}
