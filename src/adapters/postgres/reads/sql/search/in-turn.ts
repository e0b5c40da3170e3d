/** The second statement of a search, for the categories in which the text is too common for the first. */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { orderedWalk } from './ordered-walk.ts';
import type { SearchBoundsSql } from './search-bounds.ts';
import { foundRows, type SearchPart, type SearchScope, searchElements } from './search-part.ts';
import type { SearchedTable } from './search-tables.ts';

/** One category's part of it: the tiers take turns, each for the places that those before it have left. */
export function inTurn(
  searched: SearchedTable,
  scope: SearchScope,
  limit: Sql,
  bounds: SearchBoundsSql,
): SearchPart {
  const { prefix: p, table, owners } = searched;
  const { inScope, matches, matchesOnWalk, best, sampled, sampleWindows, count, odd, exactAndPrefix } =
    searchElements(searched, scope, limit);
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
