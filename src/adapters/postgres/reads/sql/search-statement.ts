/**
 * One category's part of a search: its best rows by tier, title and id, found in the way that is shortest for the
 * text and the scope. How many rows of a sample match and are in scope says which that is.
 *
 * - `all`: the scope is small and is read as a whole.
 * - `few`: the text is rare, and its windows lead to every match.
 * - `many`: exact titles, those that begin with the text, those in which a later word does, and the others take
 *   turns, each only as far as those before have left places.
 *
 * The first statement goes the first two ways, and the third as far as titles that begin with the text are enough.
 * What is left is another's: it is much to set up for PostgreSQL, and most searches do without.
 *
 * The rows that no index takes are looked at one by one in every way.
 */
import { type Sql, sql } from './literal.ts';
import { orderedWalk } from './ordered-walk.ts';
import type { SearchedTable } from './search-tables.ts';

/** How far each way is gone. */
export interface SearchBounds {
  /** A scope of so many sampled rows is not small. */
  readonly smallScope: number;
  /** A scope of so many sampled rows is not read as a whole, however small a part of everything it is. */
  readonly largeScope: number;
  /** A text that so many sampled rows have is not rare. */
  readonly commonText: number;
  /** A text that so many sampled rows have is worth a long walk. */
  readonly veryCommonText: number;
  /** Titles that are walked through at most. */
  readonly walk: number;
  readonly longWalk: number;
  /** Of so many heads of titles none is looked at. */
  readonly heads: number;
  /** Beginnings of titles that are followed at most. */
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

/** Finding a row by its windows costs as much as walking past so many. */
const WALKED_PER_FOUND = sql`10`;

/** One in so many rows is a small part: a walk through all titles hardly ever comes upon one. */
const SMALL_PART = sql`16`;

/** One in so many rows is sampled. */
const SAMPLED = sql`256`;

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
  /** A query of (category, id, three texts); one row without an id where the turns are still to be taken. */
  readonly rows: Sql;
}

export type SearchBoundsSql = Readonly<Record<keyof SearchBounds, Sql>>;

/** What both statements are made of. The parameters are those of `searchValues`. */
function elements({ prefix: p, table, things, hasText }: SearchedTable, scope: SearchScope, limit: Sql) {
  const inScope = scope.condition(sql`t`);
  // Texts are written one after the other; what could be found across two of them is looked for in each.
  const inOneText = sql`(not $7::boolean or exists (select from ${things} o where o.id = t.id and (${hasText})))`;
  const matches = sql`coalesce(t.texts, t.long_texts) like $2 and ${inOneText}`;
  const tier = sql`case when t.title = $1 then 1 when starts_with(t.title, $1) then 2 when t.words like $6 then 3
    else 4 end as tier`;
  const best = sql`order by tier, title, id limit ${limit}`;
  const first = sql`order by t.title, t.id limit ${limit}`;
  return {
    inScope,
    matches,
    // A long text is not in the index that is walked through; asked for so, it keeps nothing else from being read
    // there.
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

/** The first look, which is most often enough. */
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
  // An organization of its own is walked through on its own.
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

/** The same for a text that is common, as far as it takes. */
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

/** The best of what the steps have found, as it is answered. */
function foundRows(
  { category, prefix, things, answer }: SearchedTable,
  steps: readonly Sql[],
  best: Sql,
): Sql {
  const all = steps.map((step) => sql`select * from ${prefix}_${step}`).join(' union all ') as Sql;
  return sql`select ${category}, o.id, ${answer}
    from (select id from (${all}) f ${best}) f join ${things} o on o.id = f.id`;
}
