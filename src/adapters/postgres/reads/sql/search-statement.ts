/**
 * One category's part of a search: its best rows by tier, title and id. A sample of rows, by how many of them match
 * and how many are in scope, decides which way is cheapest:
 *
 * - `all`: the scope is small and is read as a whole.
 * - `few`: the text is rare, and an index on its windows leads to every match.
 * - `many`: the text is common. Exact titles, titles that begin with it, titles in which a later word does, and all
 *   others are found in this order, each step filling the places that the previous ones left.
 *
 * The first statement covers `all`, `few`, and of `many` the exact titles and those that begin with the text. If that
 * leaves places, a second statement does the rest: it is expensive for PostgreSQL to set up, and most searches do not
 * need it.
 *
 * Rows that do not fit into an index are checked one by one in every case.
 */
import { type Sql, sql } from './literal.ts';
import { orderedWalk } from './ordered-walk.ts';
import type { SearchedTable } from './search-tables.ts';

/** Thresholds between the ways, and limits of each. */
export interface SearchBounds {
  /** A scope with this many sampled rows is not small. */
  readonly smallScope: number;
  /** A scope with this many sampled rows is never read as a whole, however small a part of the table it is. */
  readonly largeScope: number;
  /** A text that this many sampled rows contain is not rare. */
  readonly commonText: number;
  /** A text that this many sampled rows contain is worth a long walk. */
  readonly veryCommonText: number;
  /** The most titles to walk through. */
  readonly walk: number;
  /** The same for a long walk. */
  readonly longWalk: number;
  /** With this many heads of titles or more, none is examined. */
  readonly heads: number;
  /** The most beginnings of titles to follow. */
  readonly beginnings: number;
}

/** See `SAMPLED`. */
export const SEARCH_BOUNDS: SearchBounds = {
  smallScope: 16,
  largeScope: 250,
  commonText: 10,
  veryCommonText: 100,
  walk: 10_000,
  longWalk: 20_000,
  heads: 20_000,
  beginnings: 200,
};

/** Finding one row by its windows costs as much as walking past this many. */
const WALKED_PER_FOUND = sql`10`;

/** One row in this many is a small part: a walk through all titles rarely meets one. */
const SMALL_PART = sql`16`;

/** One row in this many is sampled. */
const SAMPLED = sql`256`;

/** Which rows are in scope. */
export interface SearchScope {
  /** The condition on the rows of an alias. */
  readonly condition: (alias: Sql) => Sql;
  /** Whether the scope is one organization, whose titles an index has in order. */
  readonly isOneOrganization: boolean;
}

export interface SearchPart {
  /** Common table expressions, separated by commas. */
  readonly found: Sql;
  /** A query of (category, id, three texts); one row without an id if the second statement is needed. */
  readonly rows: Sql;
}

export type SearchBoundsSql = Readonly<Record<keyof SearchBounds, Sql>>;

/** What both statements share. Their parameters are those of `searchValues`. */
function elements({ prefix: p, table, things, hasText }: SearchedTable, scope: SearchScope, limit: Sql) {
  const inScope = scope.condition(sql`t`);
  // A row's texts are concatenated; a text that could match across two of them is searched in each one.
  const inOneText = sql`(not $7::boolean or exists (select from ${things} o where o.id = t.id and (${hasText})))`;
  const matches = sql`coalesce(t.texts, t.long_texts) like $2 and ${inOneText}`;
  const tier = sql`case when t.title = $1 then 1 when starts_with(t.title, $1) then 2 when t.words like $6 then 3
    else 4 end as tier`;
  const best = sql`order by tier, title, id limit ${limit}`;
  const first = sql`order by t.title, t.id limit ${limit}`;
  return {
    inScope,
    matches,
    // The index that is walked does not contain long texts; fetching them in a sub-select keeps the scan of all
    // others index-only.
    matchesOnWalk: sql`coalesce(t.texts, (select l.long_texts from ${table} l where l.id = t.id)) like $2
      and ${inOneText}`,
    tier,
    best,
    sampled: sql`not t.is_odd and (uuid_hash(t.id) & 255) = 0`,
    sampleWindows: sql`search_sample_grams(coalesce(t.texts, t.long_texts), t.words)`,
    count: (name: Sql) => sql`(select count(*) from ${p}_${name})`,
    odd: sql`${p}_odd as materialized (select t.id, ${tier}, t.title from ${table} t
      where t.is_odd and ${inScope} and ${matches} ${best})`,
    /** Titles equal to the text, and titles that begin with it. */
    exactAndPrefix: (condition: Sql) => sql`
      ${p}_exact as materialized (select t.id, 1 as tier, t.title from ${table} t
        where ${condition} and not t.is_odd and t.title = $1 and ${inScope} ${first}),
      ${p}_prefix as materialized (select t.id, 2 as tier, t.title from ${table} t
        where ${condition} and not t.is_odd and t.title > $1 and t.title < $3 and ${inScope} ${first})`,
  };
}

/** The first statement, which is usually enough. */
export function searchPart(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: SearchBoundsSql,
): SearchPart {
  const { category, prefix: p, table } = searched;
  const { inScope, matches, matchesOnWalk, tier, best, sampled, sampleWindows, count, odd, exactAndPrefix } =
    elements(searched, scope, limit);
  const isWay = (way: Sql) => sql`(select way from ${p}_way) = ${way}`;
  // The titles of one organization are walked without passing any others.
  const isSmallPart = scope.isOneOrganization
    ? sql`false`
    : sql`in_scope * ${SMALL_PART} * ${SAMPLED} < (select reltuples from pg_class where oid = '${table}'::regclass)`;
  const found = sql`
    ${p}_sample as materialized (select
      (select count(*) from (select from ${table} t
        where ${sampled} and ${inScope} limit ${bounds.largeScope}) s) as in_scope,
      (select count(*) from (select from ${table} t
        where ${sampled} and ${sampleWindows} @@ $5::tsquery limit ${bounds.commonText}) s) as matching),
    ${p}_way as materialized (select case
      when $4 = '' or (in_scope <= ${WALKED_PER_FOUND} * matching and (in_scope < ${bounds.smallScope}
        or (in_scope < ${bounds.largeScope} and ${isSmallPart}))) then 'all'
      when matching < ${bounds.commonText} then 'few'
      else 'many' end as way from ${p}_sample),
    ${odd},
    ${p}_all as materialized (select t.id, ${tier}, t.title from ${table} t
      where ${isWay(sql`'all'`)} and not t.is_odd and ${inScope} and ${matchesOnWalk} ${best}),
    ${p}_few as materialized (select t.id, ${tier}, t.title from ${table} t
      where ${isWay(sql`'few'`)} and not t.is_odd
      and search_grams(coalesce(t.texts, t.long_texts), t.words) @@ $4::tsquery and ${inScope} and ${matches} ${best}),
    ${exactAndPrefix(isWay(sql`'many'`))}`;
  const isLeft = sql`${isWay(sql`'many'`)} and ${count(sql`exact`)} + ${count(sql`prefix`)} < ${limit}`;
  return {
    found,
    rows: sql`${foundRows(searched, [sql`odd`, sql`all`, sql`few`, sql`exact`, sql`prefix`], best)}
      where not (${isLeft})
      union all select ${category}, null, null, null, null where ${isLeft}`,
  };
}

/** The second statement, for a common text. */
export function searchPartInTurn(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: SearchBoundsSql,
): SearchPart {
  const { prefix: p, table, owners } = searched;
  const { inScope, matches, matchesOnWalk, best, sampled, sampleWindows, count, odd, exactAndPrefix } =
    elements(searched, scope, limit);
  const isLater = sql`not starts_with(t.title, $1)`;
  const isWord = sql`${isLater} and t.words like $6`;
  const isOther = sql`${isLater} and t.words not like $6`;
  const walk = (condition: Sql, bound: Sql) =>
    scope.isOneOrganization
      ? sql`from (select t.id, t.title, t.words, t.texts, t.org_id from ${table} t
          where not t.is_odd and ${inScope} and ${condition} order by t.title, t.id ${bound}) t where true`
      : sql`from (select t.id, t.title, t.words, t.texts, ${owners} from ${table} t
          where not t.is_odd and ${condition} order by t.title, t.id ${bound}) t where ${inScope}`;
  const walkFor = (matching: Sql) =>
    sql`case when ${matching} >= ${bounds.veryCommonText} then ${bounds.longWalk} else ${bounds.walk} end`;
  const turn = {
    table,
    heads: searched.heads,
    walk,
    ownOrganization: scope.isOneOrganization ? inScope : null,
    limit,
    maxHeads: bounds.heads,
    maxBeginnings: bounds.beginnings,
  };
  const words = orderedWalk({
    ...turn,
    name: sql`${p}_word`,
    places: sql`(select places from ${p}_word_places)`,
    tier: sql`3`,
    isWalkable: sql`(select is_common from ${p}_word_places)`,
    maxWalked: sql`(select walk from ${p}_word_places)`,
    condition: sql`${inScope} and ${isWord}`,
    conditionOnWalk: isWord,
    windows: sql`$8`,
    tailWindows: sql`$11`,
    inHead: sql`(chr(30) || $12)`,
    atHeadEnd: sql`(chr(30) || s.start)`,
  });
  const others = orderedWalk({
    ...turn,
    name: sql`${p}_other`,
    places: sql`(select places from ${p}_other_places)`,
    tier: sql`4`,
    isWalkable: sql`true`,
    maxWalked: sql`(select walk from ${p}_other_places)`,
    condition: sql`${inScope} and ${isOther} and ${matches}`,
    conditionOnWalk: sql`${isOther} and ${matchesOnWalk}`,
    windows: sql`$4`,
    tailWindows: sql`$10`,
    inHead: sql`$12`,
    atHeadEnd: sql`s.start`,
  });
  const found = sql`
    ${odd},
    ${exactAndPrefix(sql`true`)},
    ${p}_word_places as materialized (select l.places, w.matching >= ${bounds.commonText} as is_common,
      ${walkFor(sql`w.matching`)} as walk
      from (select ${limit} - ${count(sql`exact`)} - ${count(sql`prefix`)} as places) l
      cross join lateral (select count(*) as matching from (select from ${table} t
        where l.places > 0 and ${sampled} and ${sampleWindows} @@ $9::tsquery and t.words like $6
        limit ${bounds.veryCommonText}) s) w),
    ${words},
    ${p}_other_places as materialized (select l.places, ${walkFor(sql`o.matching`)} as walk
      from (select w.places - ${count(sql`word`)} as places from ${p}_word_places w) l
      cross join lateral (select count(*) as matching from (select from ${table} t
        where l.places > 0 and ${sampled} and ${sampleWindows} @@ $5::tsquery limit ${bounds.veryCommonText}) s) o),
    ${others}`;
  const results = [sql`odd`, sql`exact`, sql`prefix`, sql`word`, sql`other`];
  return { found, rows: foundRows(searched, results, best) };
}

/** The best rows that the steps have found, with the columns of the answer. */
function foundRows(
  { category, prefix, things, answer }: SearchedTable,
  steps: readonly Sql[],
  best: Sql,
): Sql {
  const all = steps.map((step) => sql`select * from ${prefix}_${step}`).join(' union all ') as Sql;
  return sql`select ${category}, o.id, ${answer}
    from (select id from (${all}) f ${best}) f join ${things} o on o.id = f.id`;
}
