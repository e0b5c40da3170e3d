/**
 * Writes devices of a load while the next ones are read, which takes as long. Only chunks of which nothing can be found
 * fault with later: all devices and patches are new, and of organizations and sites that are there. The rest of the
 * load, from the first chunk on that is not like that, is checked and upserted as a whole (`upsert-fleet.ts`).
 */
import type { PoolClient } from 'pg';
import type { FleetTable, StagedFleet } from './fleet-tables.ts';
import { noteTitlesAhead } from './software-titles.ts';
import { insert, insertNewDevices, PARTS_OF_DEVICES } from './upsert-fleet.ts';

/** The tables whose ids are kept, so that a later record with one of them is refused. */
export const WRITTEN_TABLES: readonly FleetTable[] = ['device', 'patch'];

/** Creates the tables that say what is written already. They disappear with the transaction. */
export async function createWritten(client: PoolClient): Promise<void> {
  for (const table of WRITTEN_TABLES) {
    await client.query(
      `create temporary table written_${table} (line integer, member text, id uuid) on commit drop`,
    );
  }
  await client.query('create temporary table written_organization (id uuid) on commit drop');
  await client.query('create temporary table written_title (org_id uuid, title_id integer) on commit drop');
}

/** Writes the staged devices and returns true, or false if some have to wait, and with them all that follow. */
export async function writeAhead(client: PoolClient, staged: StagedFleet): Promise<boolean> {
  for (const statement of INSERT_OWNERS) await client.query(statement);
  for (const table of WRITTEN_TABLES) await staged[table].analyze();
  const { rows } = await client.query<{ can_be_written: boolean }>(CAN_BE_WRITTEN);
  if (rows[0]?.can_be_written !== true) return false;
  await insertNewDevices(client, staged);
  for (const table of PARTS_OF_DEVICES) await insert(client, staged, table);
  await noteTitlesAhead(client);
  for (const table of WRITTEN_TABLES) {
    await client.query(`insert into written_${table} select line, member, id from staged_${table}`);
  }
  const done = ['device', ...PARTS_OF_DEVICES].map((table) => `staged_${table}`);
  await client.query(`truncate ${done.join(', ')}`);
  return true;
}

/** Owners that are not there yet; the others stay as they are until the end, since a change of them locks them. */
const INSERT_OWNERS: readonly string[] = [
  `insert into partner (id, name) select distinct on (id) id, name from staged_partner order by id, line
   on conflict do nothing`,
  `with added as (
     insert into organization (id, partner_id, name)
     select distinct on (id) id, partner_id, name from staged_organization s
     where exists (select from partner p where p.id = s.partner_id) order by id, line
     on conflict do nothing returning id
   ) insert into written_organization select id from added`,
  `insert into site (id, org_id, name)
   select distinct on (id) id, org_id, name from staged_site s
   where exists (select from organization o where o.id = s.org_id) order by id, line
   on conflict do nothing`,
];

/** Each once, and none there yet. */
const ARE_NEW = (table: FleetTable) => `
  (select count(distinct id) = count(*) from staged_${table})
  and not exists (select from staged_${table} s join ${table} t on t.id = s.id)`;

const CAN_BE_WRITTEN = `select ${WRITTEN_TABLES.map(ARE_NEW).join(' and ')}
  and not exists (
    select from staged_device s
    where not exists (select from organization o where o.id = s.org_id)
      or (s.site_id is not null
          and not exists (select from site t where t.id = s.site_id and t.org_id = s.org_id))
  ) as can_be_written`;
