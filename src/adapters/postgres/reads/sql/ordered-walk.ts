/**
 * One of the last two turns of a search for a common text: the first rows of a tier by title and id. A walk through
 * the first titles finds most texts often enough. Where it does not, the heads of titles that have the text in them
 * say which titles have it there, and the windows outside of heads find the others. Where there are too many heads
 * to look at, all windows are asked.
 */
import { type Sql, sql } from './literal.ts';

export interface OrderedWalk {
  /** The name of its result, rows of (id, tier, title); those of its steps begin with it. */
  readonly name: Sql;
  /** The places that are left for it, as an expression; none, and it does nothing. */
  readonly places: Sql;
  readonly tier: Sql;
  /** The table, and that of the heads of its titles. */
  readonly table: Sql;
  readonly heads: Sql;
  /** From and where of those titles in order that meet the condition; a bound ends it. */
  readonly walk: (condition: Sql, bound: Sql) => Sql;
  /** The condition of a scope of one organization, which a walk can come to the end of. */
  readonly ownOrganization: Sql | null;
  /** How many are walked through at most, and whether it is worth it. */
  readonly maxWalked: Sql;
  readonly isWalkable: Sql;
  /** Which rows `t` are in scope and of the tier; and which of those in scope that a walk passes are. */
  readonly condition: Sql;
  readonly conditionOnWalk: Sql;
  /** The windows of every such row, and those of one in which the text is not within the head. */
  readonly windows: Sql;
  readonly tailWindows: Sql;
  /** What a head has in it, and what it ends with where the text `s.start` is before the head's end. */
  readonly inHead: Sql;
  readonly atHeadEnd: Sql;
  readonly limit: Sql;
  readonly maxHeads: Sql;
  readonly maxBeginnings: Sql;
}

const WORD_MARK = sql`chr(30)`;

/** Behind a beginning it comes after every title that begins so and that an index takes. */
const LAST = sql`repeat(chr(1114111), 600)`;

/** No bound, but one that the planner respects: what else is asked is asked on the way, in order. */
const WITHIN = sql`offset 0`;

/** Common table expressions, separated by commas. */
export function orderedWalk(turn: OrderedWalk): Sql {
  const { name, places, table, condition, inHead, atHeadEnd, limit, maxHeads, maxBeginnings } = turn;
  const count = (step: Sql) => sql`(select count(*) from ${name}_${step})`;
  const first = sql`order by title, id limit ${limit}`;
  const isMissed = sql`(select is_so from ${name}_missed)`;
  const knowsHeads = sql`${count(sql`heads`)} < ${maxHeads}`;
  // Those that are not followed come after those that are.
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
