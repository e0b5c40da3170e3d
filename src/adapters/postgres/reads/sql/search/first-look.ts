/** The first statement of a search, which is enough for most. */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { SearchBoundsSql } from './search-bounds.ts';
import { foundRows, type SearchPart, type SearchScope, searchElements } from './search-part.ts';
import type { SearchedTable } from './search-tables.ts';

/** Finding a row by its windows costs as much as walking past this many. */
const WALKED_PER_FOUND = sql`10`;

/** A scope of fewer than one in this many rows is a small part: a walk through all titles hardly ever meets one. */
const SMALL_PART = sql`16`;

/** One in this many rows is sampled. */
const SAMPLED = sql`256`;

/** One category's part of it. */
export function firstLook(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: SearchBoundsSql,
): SearchPart {
  const { category, prefix: p, table } = searched;
  const { inScope, matches, matchesOnWalk, tier, best, sampled, sampleWindows, count, odd, exactAndPrefix } =
    searchElements(searched, scope, limit);
  const isWay = (way: Sql) => sql`(select way from ${p}_way) = ${way}`;
  // A single organization has an index of its own to walk through.
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
      union all select ${category}, null, null, null, null, null where ${isLeft}`,
  };
}
