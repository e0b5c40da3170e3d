/**
 * Titles of software. All tenants share their ids, so a filter over many organizations names each title once. Each
 * organization has a list of its titles, which counts towards its quota. `upkeep/unused-titles.ts` shortens it.
 */
import type { PoolClient } from 'pg';
import { exceededTitleLimit, type TitleLimit } from '#domain/device/title-quota.ts';
import type { OrgId } from '#domain/ids.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { runPrepared } from './prepared.ts';

/**
 * Locks the titles of an organization until the transaction ends. Inventories share the lock, and a removal holds it alone.
 * Loads do not take it (see {@link holdTitleCounts}).
 */
export async function holdTitles(client: PoolClient, orgId: OrgId, isAlone: boolean): Promise<void> {
  await runPrepared(
    client,
    `select ${isAlone ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'}(
       hashtextextended('titles of ' || $1::text, 0))`,
    [orgId],
  );
}

/** Locks the lists of these organizations against changes until the transaction ends. */
export async function holdTitleCounts(client: PoolClient, orgIds: readonly OrgId[]): Promise<void> {
  await client.query(
    `insert into organization_titles (org_id) select org_id from unnest($1::uuid[]) o(org_id) order by org_id
     on conflict (org_id) do update set titles = organization_titles.titles`,
    [orgIds],
  );
}

interface TitleCount {
  readonly org_id: OrgId;
  readonly titles: number;
  /** A bigint, as text. */
  readonly name_bytes: string;
}

export async function readTitleCounts(
  client: PoolClient,
  orgIds: readonly OrgId[],
): Promise<readonly TitleCount[]> {
  const { rows } = await client.query<TitleCount>(
    'select org_id, titles, name_bytes from organization_titles where org_id = any($1)',
    [orgIds],
  );
  return rows;
}

/** Begins an insertion of the titles `t` into the list of an organization. The index leaves long names out. */
export const INSERT_NOTED = 'insert into organization_software (title_id, org_id, name_lc, long_name_lc)';

export const NOTED_NAMES = `case when octet_length(t.name_lc) <= 2000 then t.name_lc end,
  case when octet_length(t.name_lc) > 2000 then t.name_lc end`;

/**
 * Returns the ids of the titles by exact name, after adding new ones to the organization. Returns the limit that they would
 * exceed, or `moved-on` if another transaction removed one; the caller must then roll back. Needs {@link holdTitles}.
 */
export async function takeTitles(
  client: PoolClient,
  orgId: OrgId,
  names: readonly string[],
): Promise<ReadonlyMap<string, number> | TitleLimit | 'moved-on'> {
  const { rows } = await runPrepared<FoundTitle>(client, FIND, [orgId, names]);
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  const noted = new Set(rows.filter(({ is_noted }) => is_noted).map(({ name }) => name));
  const unnoted = names.filter((name) => !noted.has(name));
  if (unnoted.length === 0) return ids;
  await holdTitleCounts(client, [orgId]);
  const [count] = await readTitleCounts(client, [orgId]);
  const limit = exceededTitleLimit({
    titles: (count?.titles ?? 0) + unnoted.length,
    nameBytes: unnoted.reduce((bytes, name) => bytes + utf8Length(name), Number(count?.name_bytes ?? 0)),
  });
  if (limit !== null) return limit;
  await client.query(ADD, [unnoted, unnoted.map(foldCase)]);
  // The worker could otherwise remove them before the organization has them.
  const { rows: held } = await client.query<{ id: number; name: string }>(HOLD, [unnoted]);
  if (held.length < unnoted.length) return 'moved-on';
  for (const { id, name } of held) ids.set(name, id);
  await client.query(NOTE, [orgId, held.map(({ id }) => id)]);
  return ids;
}

interface FoundTitle {
  readonly id: number;
  readonly name: string;
  readonly is_noted: boolean;
}

const FIND = `select t.id, t.name, o.title_id is not null as is_noted
  from unnest($2::text[]) n(name) join software_title t on t.name = n.name collate "C"
  left join organization_software o on o.title_id = t.id and o.org_id = $1`;

/** Adds new titles. The order keeps transactions that add the same titles from deadlocking. */
export const ADD = `insert into software_title (name, name_lc)
  select name, name_lc from unnest($1::text[], $2::text[]) n(name, name_lc)
  where not exists (select from software_title t where t.name = n.name collate "C")
  order by name collate "C" on conflict do nothing`;

const HOLD = `select t.id, t.name from unnest($1::text[]) n(name) join software_title t on t.name = n.name collate "C"
  order by t.id for key share of t`;

const NOTE = `${INSERT_NOTED} select t.id, $1, ${NOTED_NAMES} from software_title t where t.id = any($2)
  order by t.id on conflict do nothing`;
