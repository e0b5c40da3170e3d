/**
 * All tenants share the ids of titles and versions, so a filter over many organizations needs one id per
 * title. Each organization also has a list of its titles, which a quota limits.
 */
import type { PoolClient } from 'pg';
import { versionKeyOf } from '#adapters/postgres/derived-columns.ts';
import type { InstalledSoftware } from '#domain/device/device.ts';
import { entryKey } from '#domain/device/installed-software.ts';
import {
  changeUsage,
  exceededTitleLimit,
  type TitleLimit,
  type TitleUsage,
} from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { runPrepared } from './prepared.ts';

/**
 * Locks an organization's titles until the transaction ends. Inventories take a shared lock; a removal of
 * titles takes an exclusive one. Loads use only {@link holdTitleCounts}.
 */
export async function holdTitles(client: PoolClient, orgId: OrgId, isAlone: boolean): Promise<void> {
  await runPrepared(
    client,
    `select ${isAlone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'}(
       hashtextextended('titles of ' || $1::text, 0))`,
    [orgId],
  );
}

/** Until the transaction ends, nobody else changes these organizations' lists of titles. */
export async function holdTitleCounts(client: PoolClient, orgIds: readonly OrgId[]): Promise<void> {
  await client.query(
    `insert into organization_titles (org_id) select org_id from unnest($1::uuid[]) o(org_id) order by org_id
     on conflict (org_id) do update set titles = organization_titles.titles`,
    [orgIds],
  );
}

export async function readTitleUsage(
  client: PoolClient,
  orgIds: readonly OrgId[],
): Promise<ReadonlyMap<OrgId, TitleUsage>> {
  const { rows } = await client.query<TitleUsage & { org_id: OrgId; bytes: string }>(
    'select org_id, titles, versions, name_bytes as bytes from organization_titles where org_id = any($1)',
    [orgIds],
  );
  return new Map(
    rows.map(({ org_id, titles, versions, bytes }) => [org_id, { titles, versions, bytes: Number(bytes) }]),
  );
}

/**
 * Returns SQL that adds titles to organizations' lists. `rows` is a query of (org_id, title_id); with
 * `areNew`, none of them may be in a list yet. Names too long for the index go into `long_name_lc`.
 */
export function noteTitles(rows: string, areNew = false): string {
  const isNew = `not exists (
    select from organization_software o where o.title_id = n.title_id and o.org_id = n.org_id)`;
  return `insert into organization_software (title_id, org_id, name_lc, long_name_lc, version_of)
    select n.title_id, n.org_id, case when octet_length(t.name_lc) <= 2000 then t.name_lc end,
      case when octet_length(t.name_lc) > 2000 then t.name_lc end, v.title_id
    from (${rows}) n left join software_title t on t.id = n.title_id left join software_version v on v.id = n.title_id
    where coalesce(t.id, v.id) is not null${areNew ? '' : ` and ${isNew}`}
    order by n.title_id, n.org_id${areNew ? '' : ' on conflict do nothing'}`;
}

/**
 * Adds the titles that the organization lacks to its list, and returns the ids by `entryKey`. The caller must roll back
 * if the result is a limit, or `moved-on` because another transaction removed a title. Requires {@link holdTitles}.
 */
export async function takeTitles(
  client: PoolClient,
  orgId: OrgId,
  entries: Iterable<InstalledSoftware>,
): Promise<ReadonlyMap<string, number> | TitleLimit | 'moved-on'> {
  const wanted = [...entries];
  const { rows } = await runPrepared<FoundTitle & { is_noted: boolean }>(client, FIND, [
    orgId,
    ...columnsOf(wanted),
  ]);
  const ids = new Map(rows.map((row) => [entryKey(row), row.id]));
  const noted = new Set(rows.filter(({ is_noted }) => is_noted).map(entryKey));
  const unnoted = wanted.filter((entry) => !noted.has(entryKey(entry)));
  if (unnoted.length === 0) return ids;
  await holdTitleCounts(client, [orgId]);
  const usage = (await readTitleUsage(client, [orgId])).get(orgId) ?? { titles: 0, versions: 0, bytes: 0 };
  const limit = exceededTitleLimit(changeUsage(usage, unnoted, 1));
  if (limit !== null) return limit;
  await addTitles(client, unnoted);
  // The locks keep the worker from removing the titles before they are in the list.
  const held = await findTitles(client, unnoted, true);
  if (held.length < unnoted.length) return 'moved-on';
  for (const row of held) ids.set(entryKey(row), row.id);
  await client.query(
    noteTitles('select $1::uuid as org_id, title_id from unnest($2::integer[]) u(title_id)'),
    [orgId, held.map(({ id }) => id)],
  );
  return ids;
}

export interface FoundTitle extends InstalledSoftware {
  readonly id: number;
}

/** Adds missing titles in an order that prevents deadlocks, and returns the ids of those added. */
export async function addTitles(
  client: PoolClient,
  entries: readonly InstalledSoftware[],
): Promise<readonly number[]> {
  const names = entries.flatMap(({ name, version }) => (version === null ? [name] : []));
  const versions = entries.filter(({ version }) => version !== null);
  const titles = await client.query<{ id: number }>(ADD_TITLES, [names, names.map(foldCase)]);
  const keys = versions.map(({ version }) => versionKeyOf(version));
  const added = await client.query<{ id: number }>(ADD_VERSIONS, [...columnsOf(versions), keys]);
  return [...titles.rows, ...added.rows].map(({ id }) => id);
}

const ADD_TITLES = `insert into software_title (name, name_lc)
  select name, name_lc from unnest($1::text[], $2::text[]) n(name, name_lc)
  where not exists (select from software_title t where t.name = n.name collate "C")
  order by name collate "C" on conflict do nothing returning id`;

const IS_VERSION = 'v.title_id = t.id and v.version = n.version collate "C"';

// `for key share` skips a title that was just removed: a version of it would violate the foreign key.
const ADD_VERSIONS = `insert into software_version (title_id, version, version_key)
  select t.id, n.version, n.key from unnest($1::text[], $2::text[], $3::text[]) n(name, version, key)
  join software_title t on t.name = n.name collate "C"
  where not exists (select from software_version v where ${IS_VERSION})
  order by t.id, n.version collate "C" for key share of t on conflict do nothing returning id`;

export async function findTitles(
  client: PoolClient,
  entries: readonly InstalledSoftware[],
  isHeld = false,
): Promise<readonly FoundTitle[]> {
  const lock = (table: string) => (isHeld ? `order by ${table}.id for key share of ${table}` : '');
  const titles = `select t.id, n.name, n.version from ${WANTED} where n.version is null ${lock('t')}`;
  const versions = `select v.id, n.name, n.version from ${WANTED} join software_version v on ${IS_VERSION} ${lock('v')}`;
  const columns = columnsOf(entries);
  const found = await client.query<FoundTitle>(titles, columns);
  return [...found.rows, ...(await client.query<FoundTitle>(versions, columns)).rows];
}

const WANTED = `unnest($1::text[], $2::text[]) n(name, version) join software_title t on t.name = n.name collate "C"`;

function columnsOf(entries: readonly InstalledSoftware[]): [readonly string[], readonly (string | null)[]] {
  return [entries.map(({ name }) => name), entries.map(({ version }) => version)];
}

// Each OFFSET makes PostgreSQL look up entries one by one instead of reading whole tables.
const FIND = `select e.id, n.name, n.version, o.title_id is not null as is_noted
  from unnest($2::text[], $3::text[]) n(name, version)
  cross join lateral (select id from software_title where name = n.name collate "C" offset 0) t
  cross join lateral (
    select t.id where n.version is null
    union all (select v.id from software_version v where n.version is not null and ${IS_VERSION} offset 0)
  ) e
  left join lateral (
    select title_id from organization_software where title_id = e.id and org_id = $1 offset 0
  ) o on true`;
