/** Software titles of a load are resolved to ids while the file is read, and listed for their organizations at its end. */
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient } from 'pg';
import {
  ADD,
  holdTitleCounts,
  INSERT_NOTED,
  NOTED_NAMES,
  readTitleCounts,
} from '#adapters/postgres/bulk/software-titles.ts';
import { tryLock, withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { exceededTitleLimit, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { foldCase } from '#domain/text/fold-case.ts';

export type ResolveTitleIds = (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;

const TITLES_OF_LOADS = lockNumber('titles-of-loads');

/** Keeps titles without an organization until the load ends: the load may have added them and not used them yet. */
export async function holdTitlesOfLoad(client: PoolClient): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [TITLES_OF_LOADS]);
}

/** Returns false if a load is running. Otherwise none begins until the transaction ends. */
export function tryHoldOffLoads(client: PoolClient): Promise<boolean> {
  return tryLock(client, TITLES_OF_LOADS);
}

/** Memory for titles and their ids, in bytes. */
const MAX_MEMORY = 16 << 20;

const ENTRY_SIZE = 100;

/**
 * Resolves the titles of one load. New titles are committed at once, because a long load would otherwise block every report
 * that names one of them. After a refused load the worker removes them.
 */
export function makeResolveTitleIds(pool: Pool): ResolveTitleIds {
  const known = new LRUCache<string, number>({
    maxSize: MAX_MEMORY,
    sizeCalculation: (_id, name) => ENTRY_SIZE + 2 * name.length,
  });
  return async (names) => {
    const ids = new Map<string, number>();
    const missing: string[] = [];
    for (const name of names) {
      const id = known.get(name);
      if (id === undefined) missing.push(name);
      else ids.set(name, id);
    }
    if (missing.length === 0) return ids;
    for (const { id, name } of await addTitles(pool, missing)) {
      known.set(name, id);
      ids.set(name, id);
    }
    return ids;
  };
}

interface TitleRow {
  readonly id: number;
  readonly name: string;
}

function addTitles(pool: Pool, names: readonly string[]): Promise<readonly TitleRow[]> {
  return withScope(pool, SYSTEM_SCOPE, async (client) => {
    // The load's own commit makes these durable too.
    await client.query('set local synchronous_commit = off');
    await client.query(
      `with added as (${ADD} returning id)
       insert into lost_title (title_ids) select array_agg(id order by id) from added having count(*) > 0`,
      [names, names.map(foldCase)],
    );
    const { rows } = await client.query<TitleRow>(
      'select t.id, t.name from unnest($1::text[]) n(name) join software_title t on t.name = n.name collate "C"',
      [names],
    );
    return rows;
  });
}

const STAGED_TITLES = 'staged_organization_software s cross join unnest(s.title_ids) u(title_id)';

/** The organization is new in this load, so nobody else can see it. */
const IS_OWN = 's.org_id in (select id from written_organization)';

/** The last place in the source with a new title, by organization. */
export type TitlePlaces = ReadonlyMap<OrgId, Omit<FleetFault, 'message'>>;

/**
 * Lists the titles of a staged fleet, including those that {@link noteTitlesAhead} left. Returns a fault for each organization
 * that then has too many. `areNew` as there.
 */
export async function noteStagedTitles(
  client: PoolClient,
  places: TitlePlaces,
  isWrittenAhead: boolean,
  areNew: boolean,
): Promise<readonly FleetFault[]> {
  if (isWrittenAhead) await noteTitlesAhead(client, areNew);
  const orgIds = [...places.keys()];
  // Before any title is listed, as in reports, so the two cannot deadlock.
  await holdTitleCounts(client, orgIds);
  await client.query(
    noteTitles(
      isWrittenAhead
        ? 'select distinct org_id, title_id from written_title'
        : `select distinct s.org_id, u.title_id from ${STAGED_TITLES}`,
    ),
  );
  const counts = await readTitleCounts(client, orgIds);
  const faults = counts.flatMap(({ org_id, titles, name_bytes }) => {
    const limit = exceededTitleLimit({ titles, nameBytes: Number(name_bytes) });
    const place = places.get(org_id);
    if (limit === null || place === undefined) return [];
    return [{ ...place, member: `${place.member}.software`, message: TITLE_LIMITS[limit] }];
  });
  return faults.sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

/**
 * Lists titles for organizations that are new in the load, which blocks nobody, and leaves the others in `written_title`.
 * `areNew` says that the load has staged each title once per organization, so none needs to be looked up.
 */
export async function noteTitlesAhead(client: PoolClient, areNew: boolean): Promise<void> {
  await client.query(
    areNew
      ? `${INSERT_NOTED}
         select t.id, s.org_id, ${NOTED_NAMES} from ${STAGED_TITLES} join software_title t on t.id = u.title_id
         where ${IS_OWN} order by t.id, s.org_id`
      : noteTitles(`select distinct s.org_id, u.title_id from ${STAGED_TITLES} where ${IS_OWN}`),
  );
  await client.query(
    `insert into written_title select s.org_id, u.title_id from ${STAGED_TITLES} where not ${IS_OWN}`,
  );
}

function noteTitles(rows: string): string {
  return `${INSERT_NOTED}
    select t.id, n.org_id, ${NOTED_NAMES} from (${rows}) n join software_title t on t.id = n.title_id
    where not exists (select 1 from organization_software o where o.title_id = n.title_id and o.org_id = n.org_id)
    order by t.id, n.org_id on conflict do nothing`;
}
