/** Removes titles that no device has. Triggers note candidates in `lost_title`. */
import type { Pool, PoolClient } from 'pg';
import { tryHoldOffLoads } from '#adapters/postgres/bulk/loads/load-titles.ts';
import { holdTitles } from '#adapters/postgres/bulk/software-titles.ts';
import { withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import type { UnusedTitleRemover } from '#application/ports/fleet/unused-title-remover.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';

/** While a removal waits for its lock, the organization's new reports wait behind it, at most this long. */
const LOCK_TIMEOUT = '1s';

export function makeUnusedTitleRemover(pool: Pool, readDevices = READ_DEVICES): UnusedTitleRemover {
  return async (limit) => {
    let done = 0;
    for (const orgId of await organizationsThatLost(pool, limit)) {
      const work = withScope(pool, { kind: 'organization', orgId }, async (client) => {
        await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
        await holdTitles(client, orgId, true);
        await removeLostTitles(client, orgId, readDevices);
      });
      if (await unlessBusy(work)) done++;
    }
    if (done < limit) await unlessBusy(removeTitlesOfNobody(pool));
    return done;
  };
}

/** Returns false if the work could not get its locks. The next run tries again. */
async function unlessBusy(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (classifyFailure(error) === 'conflict') return false;
    throw error;
  }
}

async function organizationsThatLost(pool: Pool, limit: number): Promise<readonly OrgId[]> {
  return withScope(pool, SYSTEM_SCOPE, async (client) => {
    const { rows } = await client.query<{ org_id: OrgId }>(
      `select distinct org_id from lost_title
       where org_id is not null and org_id <> all (array(select owner_id from maintenance))
       order by org_id limit $1`,
      [limit],
    );
    return rows.map(({ org_id }) => org_id);
  });
}

/** The caller must hold the lock of the organization's titles exclusively. */
export async function removeLostTitles(
  client: PoolClient,
  orgId: OrgId,
  readDevices = READ_DEVICES,
): Promise<void> {
  // Waits for a load that is adding titles. The next statement sees the devices of that load.
  await client.query('select 1 from organization_titles where org_id = $1 for update', [orgId]);
  let taken: number;
  do {
    const { rows } = await client.query<{ taken: number }>(REMOVE, [orgId, readDevices]);
    taken = rows[0]?.taken ?? 0;
  } while (taken > 0);
}

const ENTRIES = 200;

/**
 * The maximum number of devices whose titles are read. If the organization has more, an index tells whether
 * another device has a title.
 */
const READ_DEVICES = 20_000;

const REMOVE = `
  with taken as (
    delete from lost_title where id = any(array(
      select id from lost_title where org_id = $1 order by id limit ${ENTRIES}
    )) returning title_ids
  ), read_device as materialized (
    select title_ids from device_software where org_id = $1 limit $2::int
  ), lost as materialized (
    select u.title_id from taken cross join unnest(title_ids) u(title_id)
    except select u.title_id from read_device cross join unnest(title_ids) u(title_id)
  ), removed as (
    delete from organization_software o using lost
    where o.org_id = $1 and o.title_id = lost.title_id and (
      (select count(*) from read_device) < $2::int
      or not exists (
        select from device_software s where s.org_id = $1 and s.title_ids @> array[lost.title_id]
      )
    )
  )
  select count(*)::int as taken from taken`;

/** Does nothing during a load, which may be about to use these titles. */
async function removeTitlesOfNobody(pool: Pool): Promise<void> {
  const entries = await withScope(pool, SYSTEM_SCOPE, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from lost_title where org_id is null');
    return rows;
  });
  for (const { id } of entries) {
    await withScope(pool, SYSTEM_SCOPE, async (client) => {
      if (!(await tryHoldOffLoads(client))) return;
      const { rows } = await client.query<{ title_ids: readonly number[] }>(
        'delete from lost_title where id = $1 returning title_ids',
        [id],
      );
      const ids = rows.map(({ title_ids }) => title_ids);
      if (ids.length === 0) return;
      // Skips titles that an open transaction has locked to add them to an organization.
      for (const table of ['software_version', 'software_title']) {
        const { rows: held } = await client.query<{ id: number }>(
          `select id from ${table} where id = any($1) order by id for update skip locked`,
          ids,
        );
        const free = held.map(({ id }) => id);
        // A new statement sees what was committed before the locks were taken.
        await client.query(`delete from ${table} t where t.id = any($1) and ${IS_OF_NOBODY}`, [free]);
        await client.query(
          `insert into lost_title (title_ids) select array_agg(t.id order by t.id) from ${table} t
           where t.id = any($1) and ${IS_OF_NOBODY} having count(*) > 0`,
          ids,
        );
      }
    });
  }
}

const IS_OF_NOBODY = 'not exists (select from organization_software o where o.title_id = t.id)';
