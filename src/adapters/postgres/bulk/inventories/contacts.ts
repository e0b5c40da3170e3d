/** A contact that changes only `last_seen_at` writes one narrow row and no index entry. */
import type { PoolClient } from 'pg';
import { runPrepared } from '#adapters/postgres/bulk/prepared.ts';
import { foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { ContactOutcome, ContactReading } from '#application/ports/fleet/inventory-store.ts';
import { DEVICE_STATUSES, isLasting } from '#domain/device/device.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';

interface ContactRow {
  readonly inventoried_at: Date | null;
}

const LASTING = DEVICE_STATUSES.filter(isLasting);

export async function noteContact(
  client: PoolClient,
  { orgId, inventoryId, ip = null, now }: ContactReading,
): Promise<ContactOutcome | null> {
  const seen = [orgId, inventoryId, printInstantOrNull(now), ip];
  const folded = ip === null ? null : foldedCompanion(ip);
  const again = await runPrepared<ContactRow>(client, SEEN_AGAIN, [...seen, ['online', ...LASTING]]);
  const { rows } =
    again.rows.length > 0 ? again : await runPrepared<ContactRow>(client, BACK, [...seen, LASTING, folded]);
  const [row] = rows;
  return row === undefined ? null : { inventoriedAt: row.inventoried_at?.getTime() ?? null };
}

/** The device of organization $1 with inventoryId $2, unless several devices (clones) share that id. */
const ONE_DEVICE = `i.org_id = $1 and i.inventory_id = $2 and not exists (
    select from device_inventory_id o
    where o.org_id = $1 and o.inventory_id = $2 and o.device_id <> i.device_id)`;

/** If a worker is marking the device offline, the update waits for it and then checks the status again. */
const SEEN_AGAIN = `
  update device_state s set last_seen_at = $3
  from device_inventory_id i join device d on d.id = i.device_id
  where ${ONE_DEVICE} and s.id = i.device_id and s.org_id = $1 and s.status = any($5::device_status[])
    and d.org_id = $1 and d.makes_contact and ($4::text is null or d.last_seen_ip is not distinct from $4)
  returning d.inventoried_at`;

const BACK = `
  update device d set last_seen_at = $3, makes_contact = true,
    status = case when d.status = any($5::device_status[]) then d.status else 'online' end,
    last_seen_ip = coalesce($4, d.last_seen_ip),
    last_seen_ip_lc = case when $4::text is null then d.last_seen_ip_lc else $6 end
  from device_inventory_id i
  where ${ONE_DEVICE} and d.id = i.device_id and d.org_id = $1
  returning d.inventoried_at`;
