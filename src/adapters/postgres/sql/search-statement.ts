/**
 * One category's part of a search: its best rows by tier, title and id, found in the way that is shortest for the
 * text and the scope. How many rows of a sample match and are in scope says which that is.
 *
 * - `all`: the scope is small and is read as a whole.
 * - `few`: the text is rare, and its windows lead to every match.
 * - `many`: exact titles, those that begin with the text, those in which a later word does, and the others are
 *   looked for in turn, each only as far as those before have left places. The last two walk through a bounded
 *   number of titles in order, where most texts are soon found often enough, and go by the windows where they are
 *   not.
 *
 * The rows that no index takes are looked at one by one in every way.
 */
import { type Sql, sql } from './literal.ts';
import type { SearchedTable } from './search-tables.ts';

/** How far each way is gone. */
export interface SearchBounds {
  /** In a scope of so many sampled rows not everything is read. */
  readonly largeScope: number;
  /** A text that so many sampled rows have is not rare. */
  readonly commonText: number;
  /** Titles that are walked through at most. */
  readonly walk: number;
}

/** A sampled row stands for 64. */
export const SEARCH_BOUNDS: SearchBounds = { largeScope: 1_000, commonText: 40, walk: 50_000 };

/** Finding a row by its windows costs as much as walking past so many. */
const WALKED_PER_FOUND = sql`10`;

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
  /** A query of (category, id, three texts). */
  readonly rows: Sql;
}

/** The parameters are those of `searchValues`. */
export function searchPart(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: Readonly<Record<keyof SearchBounds, Sql>>,
): SearchPart {
  const { category, prefix, table, owners, things, answer, hasText } = searched;
  const named = (name: Sql) => sql`${prefix}_${name}`;
  const count = (name: Sql) => sql`(select count(*) from ${named(name)})`;
  const inScope = scope.condition(sql`t`);
  const sampled = sql`not t.is_odd and (uuid_hash(t.id) & 63) = 0`;
  const windows = sql`search_grams(coalesce(t.texts, t.long_texts), t.words)`;
  const sampleWindows = sql`search_sample_grams(coalesce(t.texts, t.long_texts), t.words)`;
  // Texts are written one after the other; what could be found across two of them is looked for in each.
  const inOneText = sql`(not $9::boolean or exists (select from ${things} o where o.id = t.id and (${hasText})))`;
  const matches = sql`coalesce(t.texts, t.long_texts) like $2 and ${inOneText}`;
  // A long text is not in the index that is walked through; asked for so, it keeps nothing else from being read there.
  const matchesInWalk = sql`coalesce(t.texts, (select l.long_texts from ${table} l where l.id = t.id)) like $2
    and ${inOneText}`;
  const isLater = sql`not starts_with(t.title, $1)`;
  const tier = sql`case when t.title = $1 then 1 when starts_with(t.title, $1) then 2 when t.words like $6 then 3
    else 4 end as tier`;
  const best = sql`order by tier, title, id limit ${limit}`;
  const first = sql`order by t.title, t.id limit ${limit}`;
  const isWay = (way: Sql) => sql`(select way from ${named(sql`way`)}) = ${way}`;
  const isMany = isWay(sql`'many'`);
  const walk = scope.isOneOrganization
    ? sql`(select t.id, t.title, t.words, t.texts, t.org_id from ${table} t
           where not t.is_odd and ${inScope} order by t.title, t.id limit ${bounds.walk}) t where true`
    : sql`(select t.id, t.title, t.words, t.texts, ${owners} from ${table} t
           where not t.is_odd order by t.title, t.id limit ${bounds.walk}) t where ${inScope}`;
  const begun = sql`${count(sql`exact`)} + ${count(sql`prefix`)}`;
  const inWords = sql`greatest(${count(sql`word_walk`)}, ${count(sql`word`)})`;
  const wantsWords = sql`${isMany} and ${begun} < ${limit}`;
  const wantsOthers = sql`${isMany} and ${begun} + ${inWords} < ${limit}`;

  const found = sql`
    ${named(sql`sample`)} as materialized (select
      (select count(*) from (select from ${table} t
        where ${sampled} and ${inScope} limit ${bounds.largeScope}) s) as in_scope,
      (select count(*) from (select from ${table} t
        where ${sampled} and ${sampleWindows} @@ $5::tsquery limit ${bounds.commonText}) s) as matching),
    ${named(sql`way`)} as materialized (select case
      when $4 = '' or (in_scope < ${bounds.largeScope} and in_scope <= ${WALKED_PER_FOUND} * matching) then 'all'
      when matching < ${bounds.commonText} then 'few'
      else 'many' end as way from ${named(sql`sample`)}),
    ${named(sql`odd`)} as materialized (select t.id, ${tier}, t.title from ${table} t
      where t.is_odd and ${inScope} and ${matches} ${best}),
    ${named(sql`all`)} as materialized (select t.id, ${tier}, t.title from ${table} t
      where ${isWay(sql`'all'`)} and not t.is_odd and ${inScope} and ${matchesInWalk} ${best}),
    ${named(sql`few`)} as materialized (select t.id, ${tier}, t.title from ${table} t
      where ${isWay(sql`'few'`)} and not t.is_odd and ${windows} @@ $4::tsquery and ${inScope} and ${matches} ${best}),
    ${named(sql`exact`)} as materialized (select t.id, 1 as tier, t.title from ${table} t
      where ${isMany} and not t.is_odd and t.title = $1 and ${inScope} ${first}),
    ${named(sql`prefix`)} as materialized (select t.id, 2 as tier, t.title from ${table} t
      where ${isMany} and not t.is_odd and t.title > $1 and t.title < $3 and ${inScope} ${first}),
    ${named(sql`words`)} as materialized (select count(*) as matching from (select from ${table} t
      where ${wantsWords} and ${sampled} and ${sampleWindows} @@ $8::tsquery and t.words like $6
      limit ${bounds.commonText}) s),
    ${named(sql`word_walk`)} as materialized (select t.id, 3 as tier, t.title from ${walk}
      and ${wantsWords} and (select matching from ${named(sql`words`)}) >= ${bounds.commonText}
      and t.words like $6 and ${isLater} limit ${limit}),
    ${named(sql`word`)} as materialized (select t.id, 3 as tier, t.title from ${table} t
      where ${wantsWords} and ${begun} + ${count(sql`word_walk`)} < ${limit}
      and not t.is_odd and ${windows} @@ $7::tsquery and ${inScope} and t.words like $6 and ${isLater} ${first}),
    ${named(sql`other_walk`)} as materialized (select t.id, 4 as tier, t.title from ${walk}
      and ${wantsOthers} and ${matchesInWalk} and ${isLater} and t.words not like $6 limit ${limit}),
    ${named(sql`other`)} as materialized (select t.id, 4 as tier, t.title from ${table} t
      where ${wantsOthers} and ${begun} + ${inWords} + ${count(sql`other_walk`)} < ${limit}
      and not t.is_odd and ${windows} @@ $4::tsquery and ${inScope} and ${matches} and ${isLater}
      and t.words not like $6 ${first})`;
  const names = [sql`odd`, sql`all`, sql`few`, sql`exact`, sql`prefix`];
  const rows = sql`select ${category}, o.id, ${answer} from (
      select id from (
        ${names.map((name) => sql`select * from ${named(name)}`).join(' union all ') as Sql}
        union all (select * from ${named(sql`word_walk`)} union select * from ${named(sql`word`)})
        union all (select * from ${named(sql`other_walk`)} union select * from ${named(sql`other`)})
      ) f ${best}) f
    join ${things} o on o.id = f.id`;
  return { found, rows };
}
