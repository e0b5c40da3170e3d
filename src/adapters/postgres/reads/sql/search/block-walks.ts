/**
 * Walks of the last two turns of a search: the first rows of a tier by title and id, in the blocks that have all
 * windows of the text (`schema/search-blocks.ts`).
 */
import {
  anyIdLiteral,
  countLiteral,
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
    stretches(sql`(${blocks(walk, FIRST)} ${IN_ORDER}) union all (${blocks(walk, NOT_FIRST)} ${IN_ORDER})`),
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
 * that would do. Blocks of one organization overlap; a row that two of them have is read twice and counts once.
 */
function stagedRows(walk: BlockWalk): Sql {
  const { table, organizations, inScope, condition, bounds } = walk;
  const areMany = organizations.length > bounds.apart;
  const isInReach = sql`(b.low <= w.last) is not false`;
  return sql`with recursive ${areMany ? sight(walk) : sql``}
    own as materialized (${areMany ? ownBlocks(walk) : blocks(walk, EITHER)} ${IN_ORDER}),
    rounds (upto, next, ids, titles, last) as (
      select 0, ${bounds.round}, array[]::uuid[], array[]::text[] collate "C", null::text collate "C"
      union all select w.next, 2 * w.next, f.ids, f.titles,
        search_place(f.titles[taken.places], f.ids[taken.places]) collate "C"
      from rounds w cross join lateral (select array_agg(id) as ids, array_agg(title) as titles from (
        select * from unnest(w.ids, w.titles) f(id, title)
        union select f.id, f.title
          from (select b.space, ${ends(sql`b.low`, sql`least(b.high, w.last)`)}
            from (select * from own offset w.upto limit w.next - w.upto) b where ${isInReach} ${AS_ASKED}) b
          cross join lateral (select t.id, t.title from ${table} t
            where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin}
            and ${condition} order by t.title, t.id limit taken.places) f
        order by title, id limit taken.places) f) f
      where exists (select from (select * from own offset w.upto limit 1) b where ${isInReach}))
    select f.id, f.title from (
      select f.* from (select * from rounds order by upto desc limit 1) w
        cross join unnest(w.ids, w.titles) f(id, title)
      ${areMany ? sql`union all select f.* from sight s cross join unnest(s.ids, s.titles) f(id, title) where not s.is_short` : sql``}) f
    order by f.title, f.id limit taken.places`;
}

/**
 * In many organizations, some blocks of everything come before: of the first blocks, or of the others if none of these
 * has the text. More are read in each round, while the rows that are found promise that these blocks will do. Whatever
 * is found sooner in own blocks, because fewer have it or little is in scope, is left to these.
 */
function sight(walk: BlockWalk): Sql {
  const { organizations, inScope, bounds } = walk;
  const most = countLiteral(organizations.length * bounds.ahead);
  const ofEverything = { ...walk, organizations: [], inScope: sql`(${inScope}) is true` };
  const ahead = sql`(select count(*) from ahead)`;
  return sql`
    ahead as materialized (${blocks(ofEverything, FIRST)} ${IN_ORDER} limit ${most}),
    behind as materialized (${blocks(ofEverything, NOT_FIRST)} and ${ahead} = 0 ${IN_ORDER} limit ${most}),
    stretches as materialized (${stretches(sql`select * from ahead union all select * from behind`)}),
    looks (upto, next, ids, titles, ahead, behind) as (
      select 0, ${bounds.tried}, array[]::uuid[], array[]::text[] collate "C",
        ${ahead}, (select count(*) from behind)
      union all select s.next, 2 * s.next, s.ids || f.ids, s.titles || f.titles, s.ahead, s.behind
      from looks s cross join lateral (select array_agg(id) as ids, array_agg(title) as titles from (
        ${rowsOf(ofEverything, sql`select * from stretches offset s.upto limit s.next - s.upto`)}
        limit taken.places - cardinality(s.ids)) f) f
      where cardinality(s.ids) < taken.places and s.upto < s.ahead + s.behind
        and cardinality(s.ids) * (s.ahead + s.behind) >= taken.places * s.upto),
    sight as materialized (select s.ids, s.titles, cardinality(s.ids) < taken.places
        and (s.ahead > 0 or s.behind >= ${most} or s.behind > s.upto) as is_short
      from looks s order by s.upto desc limit 1),`;
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

/**
 * Those of many organizations, unless enough was in sight. A look at each block is faster there than so many entries of
 * the index.
 */
function ownBlocks({ table, organizations }: BlockWalk): Sql {
  return sql`select b.low, b.high, b.space from ${table}_block b
    where (b.space = any(${uuidsLiteral(organizations)})) is true
      and ${OF_ORGANIZATIONS} and b.windows @@ ${asked(organizations)} and (select is_short from sight)`;
}

/** The windows; or, where there are none to ask for, which a query of none would take for no match, the spaces. */
function asked(spaces: readonly string[]): Sql {
  return sql`case when turn.windows = '' then ${anyIdLiteral(spaces)} else turn.windows end`;
}

/** The rows of these stretches, which come in order. */
function rowsOf({ table, inScope, condition }: BlockWalk, walked: Sql): Sql {
  return sql`select f.id, f.title from (${walked}) b cross join lateral (select t.id, t.title from ${table} t
      where not t.is_odd and ${isWithin} and (not b.is_passed or (t.title, t.id) > (b.low_title, b.low_id))
        and ${inScope} and ${condition} order by t.title, t.id ${AS_ASKED}) f`;
}

/**
 * What is to be read of these blocks, which come in order. Where blocks overlap, each begins where those before it have
 * ended, so that rows come in order and none comes twice.
 */
function stretches(walked: Sql): Sql {
  return sql`select coalesce(b.low <= b.passed, false) as is_passed, ${ends(sql`greatest(b.low, b.passed)`, sql`b.high`)}
    from (select b.low, b.high, max(b.high) over (rows between unbounded preceding and 1 preceding) as passed
      from (${walked}) b) b
    where (b.high <= b.passed) is not true ${AS_ASKED}`;
}

/** What `isWithin` compares with, from two places. */
function ends(low: Sql, high: Sql): Sql {
  return sql`search_place_title(${low}) as low_title, search_place_id(${low}) as low_id,
    search_place_title(${high}) as high_title, search_place_id(${high}) as high_id`;
}

const isWithin = sql`(t.title, t.id) >= (b.low_title, b.low_id) and (t.title, t.id) <= (b.high_title, b.high_id)`;
