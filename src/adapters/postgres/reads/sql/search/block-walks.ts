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
  /** The turns: rows of (tier, windows), the tiers from 3 on, the windows a text query that each block meets that holds a row of it. */
  readonly turns: Sql;
  /** The places that are left for all of them, as an expression. With none left they do nothing. */
  readonly places: Sql;
  readonly table: Sql;
  /** What rows `t` are in scope, and of these what are in the tier of `turn`. */
  readonly inScope: Sql;
  readonly condition: Sql;
  /** The organizations whose blocks are walked; none: the blocks of everything. */
  readonly organizations: readonly string[];
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

/** Rows of (id, tier, title): those of a turn are looked for only if the ones before it have left places. */
export function blockWalk(walk: BlockWalk): Sql {
  return walk.organizations.length > 1 ? stagedWalk(walk) : orderedWalk(walk);
}

/**
 * In one sequence of blocks: those that have the windows, in order, until there are enough rows. Of many blocks, the
 * first mostly are enough, and then nobody looks which of the others have them too.
 */
function orderedWalk(walk: BlockWalk): Sql {
  const rows = rowsOf(
    walk,
    sql`(${blocks(walk, FIRST)} ${IN_ORDER}) union all (${blocks(walk, NOT_FIRST)} ${IN_ORDER})`,
  );
  return sql`select f.id, turn.tier, f.title
    from (${walk.turns}) turn(tier, windows) cross join lateral (${rows}) f
    limit ${walk.places}`;
}

/**
 * In several organizations, whose own blocks lie across each other. What a turn reads before its first row depends on
 * the places that are left for it, so that each is told.
 */
function stagedWalk(walk: BlockWalk): Sql {
  return sql`with recursive taken (tier, ids, titles, places) as (
      select 2, array[]::uuid[], array[]::text[] collate "C", ${walk.places}
      union all select turn.tier, f.ids, f.titles, taken.places - f.count
      from taken join (${walk.turns}) turn(tier, windows) on turn.tier = taken.tier + 1 and taken.places > 0
      cross join lateral (select array_agg(id) as ids, array_agg(title) as titles, count(*)
        from (${stagedRows(walk)}) f) f)
    select f.id, taken.tier, f.title from taken cross join unnest(taken.ids, taken.titles) f(id, title)`;
}

/**
 * The rows of a turn: more blocks in each round, from the lowest on, as far as they come before the last of the rows
 * that would do. If the organizations are many, some blocks of everything come before, which are enough for a text that
 * is common there, and for one that no others have: of the first blocks, if many of these have it; of the others, if
 * none of these does. What fewer have is found sooner in own blocks, but where the very first, of which a few are read,
 * are full of it. Blocks of one organization overlap too; a row that two of them have is read twice and counts once.
 */
function stagedRows(walk: BlockWalk): Sql {
  const { table, organizations, inScope, condition, bounds } = walk;
  const areMany = organizations.length > bounds.apart;
  const ofEverything = { ...walk, organizations: [], inScope: sql`(${inScope}) is true` };
  const ahead = sql`(select count(*) from ahead)`;
  const sight = sql`
    ahead as materialized (${blocks(ofEverything, FIRST)} ${IN_ORDER} limit ${bounds.ahead}),
    behind as materialized (${blocks(ofEverything, NOT_FIRST)} and ${ahead} = 0
      ${IN_ORDER} limit ${bounds.behind}),
    sight as materialized (select f.id, f.title
      from (${rowsOf(
        ofEverything,
        sql`(select * from ahead limit case when ${ahead} < ${bounds.ahead} then ${bounds.ahead} / 16 end)
          union all select * from behind`,
      )}) f
      limit taken.places),`;
  const isMissed = sql`and taken.places > (select count(*) from sight)
    and (${ahead} > 0 or (select count(*) from behind) >= ${bounds.behind})`;
  const most = sql`w.found[taken.places]`;
  const round = sql`greatest(w.upto, ${bounds.round})`;
  return sql`with recursive ${areMany ? sight : sql``}
    own as materialized (select b.*, row_number() over (${IN_ORDER}) as n
      from (${areMany ? sql`${ownBlocks(walk)} ${isMissed}` : blocks(walk, EITHER)}) b),
    rounds (upto, found) as (select 0::bigint, array[]::text[] collate "C"
      union all select w.upto + ${round}, array(
        select f.place from (select * from unnest(w.found) o(place)
          union select search_place(f.title, f.id) collate "C"
            from (select b.space, ${ends(sql`b.low`, sql`least(b.high, ${most})`)} from own b
              where b.n > w.upto and b.n <= w.upto + ${round} and (b.low <= ${most}) is not false ${AS_ASKED}) b
            cross join lateral (select t.id, t.title from ${table} t
              where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin}
              and ${condition} order by t.title, t.id limit taken.places) f) f
        order by f.place limit taken.places)
      from rounds w
      where exists (select from own b where b.n > w.upto and (b.low <= ${most}) is not false))
    select id, title from (
      select search_place_title(f.place) as title, search_place_id(f.place) as id
      from unnest((select w.found from rounds w order by w.upto desc limit 1)) f(place)
      ${areMany ? sql`union select title, id from sight` : sql``}) f
    order by title, id limit taken.places`;
}

const FIRST = sql`b.is_first`;
const NOT_FIRST = sql`not b.is_first`;
const EITHER = sql`true`;

/** The blocks that have all the windows. */
function blocks({ table, organizations }: BlockWalk, which: Sql): Sql {
  const ofWhom =
    organizations.length === 0
      ? sql`${OF_EVERYTHING} and b.windows @@ ${asked([EVERYTHING])}`
      : sql`${OF_ORGANIZATIONS} and b.windows @@ (${anyIdLiteral(organizations)} && turn.windows)`;
  return sql`select b.low, b.high, b.space from ${table}_block b where ${which} and ${ofWhom}`;
}

/** Those of many organizations, among which a look at each block is faster than so many entries of the index. */
function ownBlocks({ table, organizations }: BlockWalk): Sql {
  return sql`select b.low, b.high, b.space from ${table}_block b
    where (b.space = any(${uuidsLiteral(organizations)})) is true
      and ${OF_ORGANIZATIONS} and b.windows @@ ${asked(organizations)}`;
}

/** The windows; or, where there are none to ask for, which a query of none would take for no match, the spaces. */
function asked(spaces: readonly string[]): Sql {
  return sql`case when turn.windows = '' then ${anyIdLiteral(spaces)} else turn.windows end`;
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
