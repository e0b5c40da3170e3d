/**
 * Walks of the last two turns of a search: the first rows of a tier by title and id, in the blocks that have all
 * windows of the text (see the migration of 2026-11-22).
 */
import {
  anyIdLiteral,
  type Sql,
  sql,
  uuidLiteral,
  uuidsLiteral,
} from '#adapters/postgres/reads/sql/literal.ts';
import type { SearchBoundsSql } from './search-bounds.ts';

export interface BlockWalk {
  /** The name of its result, rows of (id, tier, title); those of its steps begin with it. */
  readonly name: Sql;
  /** The places that are left for it, as an expression. With none left it does nothing. */
  readonly places: Sql;
  readonly tier: Sql;
  readonly table: Sql;
  /** What rows `t` are in scope, and of these of the tier. */
  readonly inScope: Sql;
  readonly condition: Sql;
  /** The organizations whose blocks are walked; none: the blocks of everything. */
  readonly organizations: readonly string[];
  /** A text query that each block meets that holds such a row. */
  readonly windows: Sql;
  readonly limit: Sql;
  readonly bounds: SearchBoundsSql;
}

/** Every title is in a block of this space, whoever's it is. */
const EVERYTHING = '00000000-0000-0000-0000-000000000000';

/** Of which of them a block is: each has indexes of its own. */
const OF_EVERYTHING = sql`b.space = ${uuidLiteral(EVERYTHING)}`;
const OF_ORGANIZATIONS = sql`b.space <> ${uuidLiteral(EVERYTHING)}`;

/** No bound, but a fence for the planner: what is beneath is computed once for each row, and read as it is asked for. */
const AS_ASKED = sql`offset 0`;

const IN_ORDER = sql`order by b.low, b.high`;

/**
 * In one sequence of blocks: those that have the windows, in order, until there are enough rows. Of many blocks, the
 * first mostly are enough, and then nobody looks which of the others have them too.
 */
export function orderedWalk(walk: BlockWalk): Sql {
  const { name, tier, places } = walk;
  return sql`${name} as materialized (select f.id, ${tier} as tier, f.title
    from (${rowsOf(
      walk,
      sql`(${blocks(walk, FIRST)} ${IN_ORDER}) union all (${blocks(walk, NOT_FIRST)} ${IN_ORDER})`,
    )}) f
    limit ${places})`;
}

/**
 * In several organizations, whose own blocks lie across each other: more of them in each round, from the lowest on, as
 * far as they come before the last of the rows that would do. If the organizations are many, some blocks of everything
 * come before, which are enough for a text that is common there, and for one that no others have: of the first blocks,
 * if many of these have it; of the others, if none of these does. What fewer have is found sooner in own blocks, but
 * where the very first, of which a few are read, are full of it. Blocks of one organization overlap too; a row that two
 * of them have is read twice and counts once.
 */
export function stagedWalk(walk: BlockWalk): Sql {
  const { name, tier, table, organizations, inScope, condition, limit, bounds, places } = walk;
  const areMany = organizations.length > bounds.apart;
  const ofEverything = { ...walk, organizations: [], inScope: sql`(${inScope}) is true` };
  const ahead = sql`(select count(*) from ${name}_ahead)`;
  const isWanted = sql`${places} > 0`;
  const sight = sql`
    ${name}_ahead as materialized (${blocks(ofEverything, FIRST)} and ${isWanted}
      ${IN_ORDER} limit ${bounds.ahead}),
    ${name}_behind as materialized (${blocks(ofEverything, NOT_FIRST)} and ${isWanted} and ${ahead} = 0
      ${IN_ORDER} limit ${bounds.behind}),
    ${name}_sight as materialized (select f.id, f.title
      from (${rowsOf(
        ofEverything,
        sql`(select * from ${name}_ahead limit case when ${ahead} < ${bounds.ahead} then ${bounds.ahead} / 16 end)
          union all select * from ${name}_behind`,
      )}) f
      limit ${limit}),`;
  const isMissed = sql`and ${places} > (select count(*) from ${name}_sight)
    and (${ahead} > 0 or (select count(*) from ${name}_behind) >= ${bounds.behind})`;
  const most = sql`w.found[${limit}]`;
  const round = sql`greatest(w.upto, ${bounds.round})`;
  return sql`${areMany ? sight : sql``}
    ${name}_blocks as materialized (select b.*, row_number() over (${IN_ORDER}) as n
      from (${areMany ? sql`${ownBlocks(walk)} ${isMissed}` : sql`${blocks(walk, EITHER)} and ${isWanted}`}) b),
    ${name}_rounds (upto, found) as (select 0::bigint, array[]::text[] collate "C"
      union all select w.upto + ${round}, array(
        select f.place from (select * from unnest(w.found) o(place)
          union select search_place(f.title, f.id) collate "C"
            from (select b.space, ${ends(sql`b.low`, sql`least(b.high, ${most})`)} from ${name}_blocks b
              where b.n > w.upto and b.n <= w.upto + ${round} and (b.low <= ${most}) is not false ${AS_ASKED}) b
            cross join lateral (select t.id, t.title from ${table} t
              where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin}
              and ${condition} order by t.title, t.id limit ${limit}) f) f
        order by f.place limit ${limit})
      from ${name}_rounds w
      where exists (select from ${name}_blocks b where b.n > w.upto and (b.low <= ${most}) is not false)),
    ${name} as materialized (select f.id, ${tier} as tier, f.title from (
        select search_place_title(f.place) as title, search_place_id(f.place) as id
        from unnest((select w.found from ${name}_rounds w order by w.upto desc limit 1)) f(place)
        ${areMany ? sql`union select title, id from ${name}_sight` : sql``}) f
      order by title, id limit ${limit})`;
}

const FIRST = sql`b.is_first`;
const NOT_FIRST = sql`not b.is_first`;
const EITHER = sql`true`;

/** The blocks that have all the windows. */
function blocks({ table, organizations, windows }: BlockWalk, which: Sql): Sql {
  const ofWhom =
    organizations.length === 0
      ? sql`${OF_EVERYTHING} and b.windows @@ ${asked(windows, [EVERYTHING])}`
      : sql`${OF_ORGANIZATIONS} and b.windows @@ (${anyIdLiteral(organizations)} && ${windows}::tsquery)`;
  return sql`select b.low, b.high, b.space from ${table}_block b where ${which} and ${ofWhom}`;
}

/** Those of many organizations, among which a look at each block is faster than so many entries of the index. */
function ownBlocks({ table, organizations, windows }: BlockWalk): Sql {
  return sql`select b.low, b.high, b.space from ${table}_block b
    where (b.space = any(${uuidsLiteral(organizations)})) is true
      and ${OF_ORGANIZATIONS} and b.windows @@ ${asked(windows, organizations)}`;
}

/** The windows; or, where there are none to ask for, which a query of none would take for no match, the spaces. */
function asked(windows: Sql, spaces: readonly string[]): Sql {
  return sql`case when ${windows}::tsquery = '' then ${anyIdLiteral(spaces)} else ${windows}::tsquery end`;
}

/**
 * The rows of these blocks, which come in order. Where blocks overlap, each begins where those before it have
 * ended, so that rows come in order and none comes twice.
 */
function rowsOf({ table, inScope, condition }: BlockWalk, walked: Sql): Sql {
  return sql`select f.id, f.title
    from (select coalesce(b.low <= b.passed, false) as is_passed, ${ends(sql`greatest(b.low, b.passed)`, sql`b.high`)}
      from (select b.low, b.high, max(b.high) over (rows between unbounded preceding and 1 preceding) as passed
        from (${walked}) b) b
      where (b.high <= b.passed) is not true ${AS_ASKED}) b
    cross join lateral (select t.id, t.title from ${table} t
      where not t.is_odd and ${isWithin} and (not b.is_passed or (t.title, t.id) > (b.low_title, b.low_id))
        and ${inScope} and ${condition} order by t.title, t.id ${AS_ASKED}) f`;
}

/** What `isWithin` compares with, from two places. */
function ends(low: Sql, high: Sql): Sql {
  return sql`search_place_title(${low}) as low_title, search_place_id(${low}) as low_id,
    search_place_title(${high}) as high_title, search_place_id(${high}) as high_id`;
}

const isWithin = sql`(t.title, t.id) >= (b.low_title, b.low_id) and (t.title, t.id) <= (b.high_title, b.high_id)`;
