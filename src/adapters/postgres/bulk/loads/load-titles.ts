/** Maps titles to ids while the file is read, and adds them to their organizations' lists at the end. */
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient } from 'pg';
import {
  addTitles,
  type FoundTitle,
  findTitles,
  holdTitleCounts,
  noteTitles,
  readTitleUsage,
} from '#adapters/postgres/bulk/software-titles.ts';
import { tryLock, withScope } from '#adapters/postgres/bulk/with-scope.ts';
import { lockNumber } from '#adapters/postgres/lock-number.ts';
import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { entryKey } from '#domain/device/installed-software.ts';
import { exceededTitleLimit, TITLE_LIMITS } from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { MAX_FAULTS } from '#domain/limits.ts';

export type ResolveTitleIds = (
  entries: ReadonlyMap<string, InstalledSoftware>,
) => Promise<ReadonlyMap<string, number>>;

const TITLES_OF_LOADS = lockNumber('titles-of-loads');

/**
 * Until the load ends, titles in no organization's list are not removed, because the load may be about to add
 * them to one.
 */
export async function holdTitlesOfLoad(client: PoolClient): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [TITLES_OF_LOADS]);
}

/** Returns false if a load is running. Otherwise no load begins until the transaction ends. */
export function tryHoldOffLoads(client: PoolClient): Promise<boolean> {
  return tryLock(client, TITLES_OF_LOADS);
}

/** In bytes. */
const MAX_MEMORY = 16 << 20;

const ENTRY_SIZE = 100;

/**
 * New titles are committed at once, because a long load would otherwise block every report that names one. After a
 * refused load, the worker removes them.
 */
export function makeResolveTitleIds(pool: Pool): ResolveTitleIds {
  const known = new LRUCache<string, number>({
    maxSize: MAX_MEMORY,
    sizeCalculation: (_id, key) => ENTRY_SIZE + 2 * key.length,
  });
  return async (entries) => {
    const ids = new Map<string, number>();
    const missing: InstalledSoftware[] = [];
    for (const [key, entry] of entries) {
      const id = known.get(key);
      if (id === undefined) missing.push(entry);
      else ids.set(key, id);
    }
    if (missing.length === 0) return ids;
    for (const row of await takeTitlesOfLoad(pool, missing)) {
      known.set(entryKey(row), row.id);
      ids.set(entryKey(row), row.id);
    }
    return ids;
  };
}

function takeTitlesOfLoad(pool: Pool, entries: readonly InstalledSoftware[]): Promise<readonly FoundTitle[]> {
  return withScope(pool, SYSTEM_SCOPE, async (client) => {
    // The load's own commit makes this earlier commit durable too.
    await client.query('set local synchronous_commit = off');
    const added = await addTitles(client, entries);
    if (added.length > 0) await client.query('insert into lost_title (title_ids) values ($1)', [added]);
    return findTitles(client, entries);
  });
}

const STAGED_TITLES = 'staged_organization_software s cross join unnest(s.title_ids) u(title_id)';

/** The organization is new in this load, so nobody else can see it. */
const IS_OWN = 's.org_id in (select id from written_organization)';

/** Where in the source each organization's last new title is. */
export type TitlePlaces = ReadonlyMap<OrgId, Omit<FleetFault, 'message'>>;

/**
 * Adds the staged titles, and those that {@link noteTitlesAhead} left in `written_title`, to their
 * organizations' lists. Returns a fault for each organization that exceeds a quota.
 */
export async function noteStagedTitles(
  client: PoolClient,
  places: TitlePlaces,
  isWrittenAhead: boolean,
  areNew: boolean,
): Promise<readonly FleetFault[]> {
  if (isWrittenAhead) await noteTitlesAhead(client, areNew);
  const orgIds = [...places.keys()];
  // Counts are locked before any list changes, as in reports, so loads and reports cannot deadlock.
  await holdTitleCounts(client, orgIds);
  await client.query(
    noteTitles(
      isWrittenAhead
        ? 'select distinct org_id, title_id from written_title'
        : `select distinct s.org_id, u.title_id from ${STAGED_TITLES}`,
    ),
  );
  const usages = await readTitleUsage(client, orgIds);
  const faults = [...usages].flatMap(([orgId, usage]) => {
    const limit = exceededTitleLimit(usage);
    const place = places.get(orgId);
    if (limit === null || place === undefined) return [];
    return [{ ...place, member: `${place.member}.software`, message: TITLE_LIMITS[limit] }];
  });
  return faults.sort((a, b) => a.line - b.line).slice(0, MAX_FAULTS);
}

/**
 * Adds the staged titles to the lists of organizations that this load creates, because no other transaction
 * waits for those lists. Other organizations' titles go into `written_title` until the load ends.
 *
 * If `areNew`, each title was staged once per organization, so duplicates need no check.
 */
export async function noteTitlesAhead(client: PoolClient, areNew: boolean): Promise<void> {
  const staged = `select s.org_id, u.title_id from ${STAGED_TITLES} where ${IS_OWN}`;
  await client.query(noteTitles(areNew ? staged : staged.replace('select', 'select distinct'), areNew));
  await client.query(
    `insert into written_title select s.org_id, u.title_id from ${STAGED_TITLES} where not ${IS_OWN}`,
  );
}
