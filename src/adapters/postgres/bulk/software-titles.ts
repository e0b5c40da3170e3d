/**
 * Resolves software titles to ids and adds new titles, and notes which organization has them. Titles are shared by all
 * tenants; neither they nor the notes are ever removed.
 */
import { LRUCache } from 'lru-cache';
import type { Pool, PoolClient } from 'pg';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { withScope } from './with-scope.ts';

/** The id of each title, by its exact name. */
export type ResolveTitleIds = (names: ReadonlySet<string>) => Promise<ReadonlyMap<string, number>>;

const CACHED_TITLES = 500_000;

/**
 * New titles are committed before the transaction that uses them begins: inside a long load they would block every
 * inventory that names one of them. A title that ends up on no device does no harm.
 */
export function makeResolveTitleIds(pool: Pool): ResolveTitleIds {
  // Limited by size: a cache limited by count allocates room for all of them when it is made.
  const known = new LRUCache<string, number>({ maxSize: CACHED_TITLES, sizeCalculation: () => 1 });
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

/** The rows of these titles, added if new. Two transactions that add one title wait for each other. */
function addTitles(pool: Pool, names: readonly string[]): Promise<readonly TitleRow[]> {
  return withScope(pool, SYSTEM_SCOPE, async (client) => {
    // Whoever uses the titles commits later, which makes these durable too.
    await client.query('set local synchronous_commit = off');
    await client.query(
      `insert into software_title (name, name_lc)
       select name, name_lc from unnest($1::text[], $2::text[]) as t(name, name_lc)
       where not exists (select 1 from software_title s where s.name = t.name collate "C")
       order by name on conflict (name) do nothing`,
      [names, names.map(foldCase)],
    );
    const { rows } = await client.query<TitleRow>(
      'select id, name from software_title where name = any($1)',
      [names],
    );
    return rows;
  });
}

/** The titles of a staged fleet, by organization. */
const STAGED_TITLES = 'staged_organization_software s cross join unnest(s.title_ids) u(title_id)';

/** In an organization that the load has brought, which nobody else can see. */
const IS_OWN = 's.org_id in (select id from written_organization)';

/**
 * Notes the titles of a staged fleet; if some were written ahead, with those that {@link noteTitlesAhead} has left. `areNew`
 * as there.
 */
export async function noteStagedTitles(
  client: PoolClient,
  isWrittenAhead: boolean,
  areNew: boolean,
): Promise<void> {
  if (isWrittenAhead) await noteTitlesAhead(client, areNew);
  await client.query(
    noteTitles(
      isWrittenAhead
        ? 'select distinct org_id, title_id from written_title'
        : `select distinct s.org_id, u.title_id from ${STAGED_TITLES}`,
    ),
  );
}

/**
 * Notes the titles of a staged fleet in organizations that it has brought, so that nobody waits for them. Those of others
 * are left in `written_title`. `areNew` says that the load has staged none of them for its organization before: then
 * none needs to be looked for.
 */
export async function noteTitlesAhead(client: PoolClient, areNew: boolean): Promise<void> {
  await client.query(
    areNew
      ? `insert into organization_software (title_id, org_id, name_lc)
         select t.id, s.org_id, t.name_lc from ${STAGED_TITLES} join software_title t on t.id = u.title_id
         where ${IS_OWN} order by t.id, s.org_id`
      : noteTitles(`select distinct s.org_id, u.title_id from ${STAGED_TITLES} where ${IS_OWN}`),
  );
  await client.query(
    `insert into written_title select s.org_id, u.title_id from ${STAGED_TITLES} where not ${IS_OWN}`,
  );
}

/** Notes the titles of one inventory. */
export async function noteTitlesOf(
  client: PoolClient,
  orgId: OrgId,
  titleIds: Iterable<number>,
): Promise<void> {
  await client.query(noteTitles('select $1::uuid as org_id, u.title_id from unnest($2::int[]) u(title_id)'), [
    orgId,
    [...titleIds],
  ]);
}

/**
 * A statement that notes the rows of (org_id, title_id) that it is given. To be the last one of its transaction that
 * waits for another: transactions that note one title for the first time wait for each other, and since each does so
 * with this statement alone and in the same order, none waits for itself.
 */
function noteTitles(rows: string): string {
  return `insert into organization_software (title_id, org_id, name_lc)
    select t.id, n.org_id, t.name_lc from (${rows}) n join software_title t on t.id = n.title_id
    where not exists (select 1 from organization_software o where o.title_id = n.title_id and o.org_id = n.org_id)
    order by t.id, n.org_id on conflict do nothing`;
}
