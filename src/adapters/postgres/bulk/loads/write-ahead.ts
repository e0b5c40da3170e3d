/**
 * Writes a chunk of devices while the next is read, which takes about as long. Only a chunk without possible
 * faults is written: its devices and patches are new, and their organizations and sites exist. The first
 * chunk that may have faults and all later ones are checked and upserted as a whole (`upsert-fleet.ts`).
 */
import type { PoolClient } from 'pg';
import { PARTS_OF_DEVICES } from '#adapters/postgres/device-parts.ts';
import { noteTitlesAhead } from './load-titles.ts';
import type { FleetTable, StagedFleet, StagedRowsOfFleet } from './staging.ts';
import { insert, insertNewDevices, NAMES_OF_DEVICES } from './upsert-devices.ts';

const KEEP_IDS = ['device', 'patch'] as const;

const PARTS = [...NAMES_OF_DEVICES, ...PARTS_OF_DEVICES] as const;

const TABLES = ['device', ...PARTS, 'organization_software'] as const;

interface WriteAheadOptions {
  readonly areTitlesNew: boolean;
  /** True if there were no devices before the load, which therefore dropped the keys of the tables. */
  readonly isInitial: boolean;
}

/**
 * The devices of `sent` are in the staging tables; `staged` may have more rows in memory. Returns false if this chunk
 * and all later ones have to wait.
 */
export async function writeAhead(
  client: PoolClient,
  staged: StagedFleet,
  sent: StagedRowsOfFleet,
  { areTitlesNew, isInitial }: WriteAheadOptions,
): Promise<boolean> {
  if (!staged.device.isWrittenAhead) await createWritten(client);
  await insertOwners(client, sent);
  const filled = TABLES.filter((table) => !sent[table].isEmpty);
  const withIds = KEEP_IDS.filter((table) => !sent[table].isEmpty);
  // In an initial load, all ids are new to the database. `staged-faults.ts` finds those that the load repeats.
  const looked = isInitial ? [] : withIds;
  for (const table of looked) await client.query(`analyze staged_${table} (id)`);
  const { rows } = await client.query<{ can_be_written: boolean }>(
    `select ${[...looked.map(ARE_NEW), BELONG].join(' and ')} as can_be_written`,
  );
  if (rows[0]?.can_be_written !== true) return false;
  await insertNewDevices(client, sent, { areNew: true });
  for (const table of PARTS) await insert(client, sent, table);
  if (!sent.organization_software.isEmpty) await noteTitlesAhead(client, areTitlesNew);
  for (const table of withIds) {
    await client.query(`insert into written_${table} select line, member, id from staged_${table}`);
  }
  await client.query(`truncate ${filled.map((table) => `staged_${table}`).join(', ')}`);
  for (const table of filled) staged[table].isWrittenAhead = true;
  return true;
}

async function createWritten(client: PoolClient): Promise<void> {
  const columns = {
    ...Object.fromEntries(KEEP_IDS.map((table) => [table, 'line integer, member text, id uuid'])),
    organization: 'id uuid',
    title: 'org_id uuid, title_id integer',
  };
  for (const [table, definition] of Object.entries(columns)) {
    await client.query(`create temporary table written_${table} (${definition}) on commit drop`);
  }
}

/** Existing owners are updated at the end of the load, because an update locks them. */
async function insertOwners(client: PoolClient, sent: StagedRowsOfFleet): Promise<void> {
  if (!sent.partner.isEmpty) {
    await client.query(
      `insert into partner (id, name) select distinct on (id) id, name from staged_partner order by id, line
       on conflict do nothing`,
    );
  }
  if (!sent.organization.isEmpty) {
    await client.query(
      `with added as (
         insert into organization (id, partner_id, name)
         select distinct on (id) id, partner_id, name from staged_organization s
         where exists (select from partner p where p.id = s.partner_id) order by id, line
         on conflict do nothing returning id
       ) insert into written_organization select id from added`,
    );
  }
  if (!sent.site.isEmpty) {
    await client.query(
      `insert into site (id, org_id, name)
       select distinct on (id) id, org_id, name from staged_site s
       where exists (select from organization o where o.id = s.org_id) order by id, line
       on conflict do nothing`,
    );
  }
}

const ARE_NEW = (table: FleetTable) => `(select count(distinct id) = count(*) from staged_${table})
  and not exists (select from staged_${table} s join ${table} t on t.id = s.id)`;

const BELONG = `not exists (
    select from staged_device s
    where not exists (select from organization o where o.id = s.org_id)
      or (s.site_id is not null
          and not exists (select from site t where t.id = s.site_id and t.org_id = s.org_id))
  )`;
