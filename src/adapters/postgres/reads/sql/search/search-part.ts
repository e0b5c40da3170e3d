/**
 * One category's part of a search: its best rows by tier, title and id, found in the way that is shortest for the
 * text and the scope. How many rows of a sample match and are in scope says which that is.
 *
 * - `all`: the scope is small and is read as a whole.
 * - `few`: the text is rare, and its windows lead to every match.
 * - `many`: exact titles, titles that begin with the text, titles in which a later word does, and all others take
 *   turns, each only for the places that those before it have left.
 *
 * The first statement (`first-look.ts`) goes the first two ways, and the third as long as titles that begin with the
 * text are enough. The rest is left to a second statement (`in-turn.ts`): it is costly for PostgreSQL to set up, and
 * most searches do without it. The rows that no index holds are looked at one by one in every way.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { SearchedTable } from './search-tables.ts';

/** Which rows are in scope. */
export interface SearchScope {
  /** The condition for rows of the alias. */
  readonly condition: (alias: Sql) => Sql;
  /** Whether it is one organization, whose titles are in order in an index of their own. */
  readonly isOneOrganization: boolean;
}

export interface SearchPart {
  /** Common table expressions, separated by commas. */
  readonly found: Sql;
  /** A query of (category, id, four texts); one row without an id if the turns are still to be taken. */
  readonly rows: Sql;
}

/** What both statements are made of. The parameters are those of `searchValues`. */
export function searchElements(
  { prefix: p, table, things, hasText }: SearchedTable,
  scope: SearchScope,
  limit: Sql,
) {
  const inScope = scope.condition(sql`t`);
  // The texts of a row are stored as one; a text that could match across two of them is looked for in each.
  const inOneText = sql`(not $7::boolean or exists (select from ${things} o where o.id = t.id and (${hasText})))`;
  const matches = sql`coalesce(t.texts, t.long_texts) like $2 and ${inOneText}`;
  const tier = sql`case when t.title = $1 then 1 when starts_with(t.title, $1) then 2 when t.words like $6 then 3
    else 4 end as tier`;
  const best = sql`order by tier, title, id limit ${limit}`;
  const first = sql`order by t.title, t.id limit ${limit}`;
  return {
    inScope,
    matches,
    // A long text is not in the index that a walk reads. In a subquery it does not keep the rest from being read
    // from that index alone.
    matchesOnWalk: sql`coalesce(t.texts, (select l.long_texts from ${table} l where l.id = t.id)) like $2
      and ${inOneText}`,
    tier,
    best,
    sampled: sql`not t.is_odd and (uuid_hash(t.id) & 255) = 0`,
    sampleWindows: sql`search_sample_grams(coalesce(t.texts, t.long_texts), t.words)`,
    count: (name: Sql) => sql`(select count(*) from ${p}_${name})`,
    odd: sql`${p}_odd as materialized (select t.id, ${tier}, t.title from ${table} t
      where t.is_odd and ${inScope} and ${matches} ${best})`,
    /** Titles that are the text, and that begin with it. */
    exactAndPrefix: (condition: Sql) => sql`
      ${p}_exact as materialized (select t.id, 1 as tier, t.title from ${table} t
        where ${condition} and not t.is_odd and t.title = $1 and ${inScope} ${first}),
      ${p}_prefix as materialized (select t.id, 2 as tier, t.title from ${table} t
        where ${condition} and not t.is_odd and t.title > $1 and t.title < $3 and ${inScope} ${first})`,
  };
}

/** The best of what the steps have found, as the statement answers it. */
export function foundRows(
  { category, prefix, things, answer }: SearchedTable,
  steps: readonly Sql[],
  best: Sql,
): Sql {
  const all = steps.map((step) => sql`select * from ${prefix}_${step}`).join(' union all ') as Sql;
  return sql`select ${category}, o.id, ${answer}
    from (select id from (${all}) f ${best}) f join ${things} o on o.id = f.id`;
}
