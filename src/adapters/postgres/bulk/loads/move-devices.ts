/** Moves devices of a checked fleet to the organizations that it names, with what their records do not replace. */
import type { PoolClient } from 'pg';

/** How many devices changed their organization. Their sites follow with their records. */
export async function moveDevices(client: PoolClient): Promise<number> {
  const { rowCount } = await client.query(
    `update device t set org_id = s.org_id, site_id = null
     from staged_device s where t.id = s.id and t.org_id <> s.org_id`,
  );
  if (rowCount === null || rowCount === 0) return 0;
  for (const table of ['alert', 'device_inventory_id']) {
    await client.query(
      `update ${table} t set org_id = s.org_id
       from staged_device s where t.device_id = s.id and t.org_id <> s.org_id`,
    );
  }
  return rowCount;
}
