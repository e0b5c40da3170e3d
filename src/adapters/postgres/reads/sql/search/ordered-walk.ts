/**
 * One of the last two turns of a search for a common text: the first rows of a tier by title and id. A walk through
 * the first titles finds most texts often enough. If it does not, the heads that contain the text lead to the titles
 * that contain it there, and the windows outside of heads find the others. If there are too many heads to look at,
 * all windows are searched instead.
 */
import { type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';

export interface OrderedWalk {
  /** The name of its result, rows of (id, tier, title); those of its steps begin with it. */
  readonly name: Sql;
  /** The places that are left for it, as an expression. With none left it does nothing. */
  readonly places: Sql;
  readonly tier: Sql;
  /** The table, and that of the heads of its titles. */
  readonly table: Sql;
  readonly heads: Sql;
  /** FROM and WHERE of the titles, in order, that meet the condition; `bound` ends the walk. */
  readonly walk: (condition: Sql, bound: Sql) => Sql;
  /** The condition of a scope of one organization, whose titles a walk can exhaust. */
  readonly ownOrganization: Sql | null;
  /** How many titles a walk passes at most, and whether a walk is worth it. */
  readonly maxWalked: Sql;
  readonly isWalkable: Sql;
  /** Which rows `t` are in scope and of the tier; and, of rows in scope on a walk, which are of the tier. */
  readonly condition: Sql;
  readonly conditionOnWalk: Sql;
  /** The windows of every such row, and those of a row that contains the text outside of its head. */
  readonly windows: Sql;
  readonly tailWindows: Sql;
  /** What a head contains, and what it ends with if the text `s.start` ends where the head does. */
  readonly inHead: Sql;
  readonly atHeadEnd: Sql;
  readonly limit: Sql;
  readonly maxHeads: Sql;
  readonly maxBeginnings: Sql;
}

const WORD_MARK = sql`chr(30)`;

/** Appended to a beginning, it sorts after every indexed title that begins so. */
const LAST = sql`repeat(chr(1114111), 600)`;

/** No bound, but a fence for the planner: other conditions are checked on the way, in order. */
const WITHIN = sql`offset 0`;

/** Common table expressions, separated by commas. */
export function orderedWalk(turn: OrderedWalk): Sql {
  const { name, places, table, condition, inHead, atHeadEnd, limit, maxHeads, maxBeginnings } = turn;
  const count = (step: Sql) => sql`(select count(*) from ${name}_${step})`;
  const first = sql`order by title, id limit ${limit}`;
  const isMissed = sql`(select is_so from ${name}_missed)`;
  const knowsHeads = sql`${count(sql`heads`)} < ${maxHeads}`;
  // Beginnings that are not followed sort after those that are.
  const isEnough = sql`(${knowsHeads} and (${count(sql`beginnings`)} < ${maxBeginnings}
    or ${count(sql`begun`)} >= ${places}))`;
  const isWalkedThrough =
    turn.ownOrganization === null
      ? sql`false`
      : sql`(select count(*) from (select from ${table} t where not t.is_odd and ${turn.ownOrganization}
          limit ${turn.maxWalked}) s) < ${turn.maxWalked}`;
  const grams = sql`search_grams(coalesce(t.texts, t.long_texts), t.words)`;
  return sql`
    ${name}_walk as materialized (select t.id, t.title
      ${turn.walk(sql`${places} > 0 and ${turn.isWalkable}`, sql`limit ${turn.maxWalked}`)}
      and ${turn.conditionOnWalk} limit ${limit}),
    ${name}_missed as materialized (select ${count(sql`walk`)} < ${places}
      and not (${turn.isWalkable} and ${isWalkedThrough}) as is_so),
    ${name}_heads as materialized (select h.words from ${turn.heads} h where ${isMissed} limit ${maxHeads}),
    ${name}_beginnings as materialized (select distinct b.title from ${name}_heads h
      cross join lateral (
        select replace(left(h.words, strpos(h.words, ${inHead}) + length(${inHead}) - 1), ${WORD_MARK}, '') as title
        where strpos(h.words, ${inHead}) > 0
        union all
        select replace(h.words, ${WORD_MARK}, '') || s.rest from unnest($13::text[], $14::text[]) s(start, rest)
        where right(h.words, length(${atHeadEnd})) = ${atHeadEnd}) b
      where ${knowsHeads} and not starts_with(b.title, $1)
      order by b.title limit ${maxBeginnings}),
    ${name}_begun as materialized (select f.id, f.title from ${name}_beginnings b
      cross join lateral (select t.id, t.title
        ${turn.walk(sql`t.title >= b.title and t.title < b.title || ${LAST}`, WITHIN)}
        and ${turn.conditionOnWalk} limit ${limit}) f
      ${first}),
    ${name}_tail as materialized (select t.id, t.title from ${table} t
      where ${isMissed} and ${isEnough} and not t.is_odd and ${grams} @@ ${turn.tailWindows}::tsquery
      and ${condition} ${first}),
    ${name}_any as materialized (select t.id, t.title from ${table} t
      where ${isMissed} and not ${isEnough} and not t.is_odd and ${grams} @@ ${turn.windows}::tsquery
      and ${condition} ${first}),
    ${name} as materialized (select f.id, ${turn.tier} as tier, f.title from (
        select * from ${name}_walk union select * from ${name}_begun
        union select * from ${name}_tail union select * from ${name}_any) f ${first})`;
}
