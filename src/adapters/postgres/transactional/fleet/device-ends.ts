/** Removes and merges devices. Triggers and foreign keys take care of dependent rows. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { arrayText } from '#adapters/postgres/derived-columns.ts';
import { PARTS_OF_DEVICES, REPORTED_COLUMNS } from '#adapters/postgres/device-parts.ts';
import { DeviceRow, toChangeableDevice } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { FOR_UPDATE, inReach, lockSoon } from '#adapters/postgres/transactional/orm.ts';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { MergeableDevice } from '#domain/device/merge-devices.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import {
  fromRemembered,
  joinKeys,
  machineKeys,
  type RememberedKey,
  toRemembered,
} from '#domain/inventory/machine-keys.ts';

/** `replace` stores the columns that people can change. */
export function deviceEnds(
  em: EntityManager,
  scope: AccessScope,
  replace: DeviceWriter['replace'],
): Pick<DeviceWriter, 'findAllForUpdate' | 'merge' | 'remove'> {
  const remove = async ({ id, orgId }: Pick<ChangeableDevice, 'id' | 'orgId'>) => {
    await em.flush();
    const count = await em.nativeDelete(DeviceRow, { $and: [{ id, orgId }, inReach(scope)] });
    if (count !== 1) throw new Error(`there is no device ${id}`);
  };
  return {
    remove,
    findAllForUpdate: async (ids) => {
      const all = { id: { $in: [...ids] }, ...inReach(scope) };
      // All transactions lock devices in this order, so they cannot deadlock.
      const options = { ...FOR_UPDATE, orderBy: { id: 'asc' } } as const;
      const rows = await lockSoon(em, () => em.find(DeviceRow, all, options));
      // A separate statement sees what earlier holders of the locks have committed.
      const facts = await em.execute<FactsRow[]>(FACTS, [arrayText(rows.map(({ id }) => id))]);
      return rows.flatMap((row) => {
        const one = facts.find(({ id }) => id === row.id);
        return one === undefined ? [] : [{ ...toChangeableDevice(row), ...toFacts(one) }];
      });
    },
    merge: async ({ device, gone, takesReports, keys }) => {
      await replace(device);
      const { id, orgId } = device;
      const pair = [id, gone.id, orgId];
      const remembered = toRemembered(keys);
      await em.execute(REMEMBER, [
        ...[id, orgId],
        ...[arrayText(remembered.map(({ kind }) => kind)), arrayText(remembered.map(({ key }) => key))],
      ]);
      await em.execute(TAKE_INVENTORY_IDS, pair);
      await em.execute('update alert set device_id = ? where device_id = ? and org_id = ?', pair);
      if (takesReports) {
        for (const table of PARTS_OF_DEVICES) {
          await em.execute(`delete from ${table} where device_id = ? and org_id = ?`, [id, orgId]);
          await em.execute(`update ${table} set device_id = ? where device_id = ? and org_id = ?`, pair);
        }
        await em.execute(TAKE_REPORTS, [gone.id, id, orgId]);
      }
      await em.execute(COUNT_UP, [asDate(device.enrolledAt), gone.id, id, orgId]);
      await remove({ id: gone.id, orgId });
    },
  };
}

interface FactsRow extends Pick<MergeableDevice, 'id' | 'hostname'> {
  /** Epoch milliseconds. */
  readonly enrolled_ms: number | null;
  readonly seen_ms: number | null;
  readonly serial_number: string | null;
  readonly system_uuid: string | null;
  readonly mac_addresses: readonly string[];
  readonly remembered: readonly RememberedKey[];
}

const FACTS = `
  select d.id, d.hostname, d.system_uuid, h.serial_number,
    (extract(epoch from d.enrolled_at) * 1000)::float8 as enrolled_ms,
    (extract(epoch from z.last_seen_at) * 1000)::float8 as seen_ms,
    (
      select coalesce(json_agg(n.mac_address), '[]')
      from device_network n where n.device_id = d.id and n.mac_address is not null
    ) as mac_addresses,
    (
      select coalesce(json_agg(json_build_object('kind', k.kind, 'key', k.key)), '[]')
      from device_known_key k where k.device_id = d.id
    ) as remembered
  from device d join device_state z on z.id = d.id left join device_hardware h on h.device_id = d.id
  where d.id = any(?::uuid[])`;

function toFacts(row: FactsRow) {
  const keys = machineKeys({
    serialNumbers: [row.serial_number],
    systemUuids: [row.system_uuid],
    macAddresses: row.mac_addresses,
  });
  return {
    hostname: row.hostname,
    enrolledAt: row.enrolled_ms,
    lastSeenAt: row.seen_ms,
    keys: joinKeys(keys, fromRemembered(row.remembered)),
  };
}

const REMEMBER = `insert into device_known_key (device_id, org_id, kind, key)
  select ?, ?, kind, key from unnest(?::machine_key_kind[], ?::text[]) k(kind, key) on conflict do nothing`;

const TAKE_INVENTORY_IDS = `insert into device_inventory_id (device_id, org_id, inventory_id)
  select ?, org_id, inventory_id from device_inventory_id where device_id = ? and org_id = ? on conflict do nothing`;

const TAKE_REPORTS = `
  update device d set (${REPORTED_COLUMNS.join(', ')}) = (
    select ${REPORTED_COLUMNS.map((column) => (column === 'last_seen_at' ? `z.${column}` : `g.${column}`)).join(', ')}
    from device g join device_state z on z.id = g.id where g.id = ? and g.org_id = d.org_id
  ) where d.id = ? and d.org_id = ?`;

/** `reports_since` becomes the earlier of the two devices' values. */
const COUNT_UP = `
  update device d set enrolled_at = ?, reports_since = least(d.reports_since, g.reports_since),
    critical_alerts = (
      select count(*) from alert a where a.device_id = d.id and a.severity = 'critical' and a.status = 'active'
    )
  from device g where g.id = ? and g.org_id = d.org_id and d.id = ? and d.org_id = ?`;

function asDate(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
