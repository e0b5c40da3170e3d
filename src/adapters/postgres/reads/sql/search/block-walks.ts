/**
 * Finds rows of a search's last two tiers, in the order of title and id. It reads only search blocks
 * (`schema/search-blocks.ts`) that have all windows (short pieces) of the text.
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
  /** Rows of (tier, windows). Every block with a row of the tier matches the tsquery `windows`. */
  readonly turns: Sql;
  /** SQL for the number of rows that all turns together may find. */
  readonly places: Sql;
  readonly table: Sql;
  readonly inScope: Sql;
  /** Whether a row `t` is in the tier of `turn`. */
  readonly condition: Sql;
  /** The organizations whose own blocks are read. If empty, the blocks of all titles are read. */
  readonly organizations: readonly string[];
  readonly bounds: SearchBoundsSql;
}

/** The blocks of this space contain the titles of all tenants. */
const EVERYTHING = '00000000-0000-0000-0000-000000000000';

/** Conditions of separate partial indexes: for blocks of all titles, and of organizations. */
const OF_EVERYTHING = sql`b.space = ${uuidLiteral(EVERYTHING)}`;
const OF_ORGANIZATIONS = sql`b.space <> ${uuidLiteral(EVERYTHING)}`;

/** A subquery with OFFSET 0 is a fence for the planner: it is computed once per row, when the row is read. */
const AS_ASKED = sql`offset 0`;

/** Rows of (id, tier, title). A step runs only if earlier steps found too few rows. */
export function blockWalk(walk: BlockWalk): Sql {
  const { steps, rows } = walk.organizations.length > 1 ? stagedWalk(walk) : orderedWalk(walk);
  return sql`with recursive taken (step, tier, ids, titles, places) as (
      select 0, 0, array[]::uuid[], array[]::text[] collate "C", ${walk.places}
      union all select turn.step, turn.tier, f.ids, f.titles, taken.places - f.count
      from taken join (${steps}) turn on turn.step = taken.step + 1 and taken.places > 0
      cross join lateral (
        select array_agg(id order by title, id) as ids, array_agg(title order by title, id) as titles, count(*)
        from (${rows}) f) f)
    select f.id, taken.tier, f.title from taken cross join unnest(taken.ids, taken.titles) f(id, title)`;
}

interface Walk {
  /** Rows of (step, tier, windows, is_first), steps from 1 on. */
  readonly steps: Sql;
  readonly rows: Sql;
}

/**
 * Each turn starts with the blocks marked `is_first`. For a common text they usually suffice, so the index of
 * the other blocks is not searched.
 */
function orderedWalk(walk: BlockWalk): Walk {
  const matching = sql`${blocks(walk, FIRST)} and turn.is_first union all ${blocks(walk, NOT_FIRST)} and not turn.is_first`;
  return {
    steps: sql`select 2 * (t.tier - 3) + p.part as step, t.tier, t.windows, p.part = 1 as is_first
      from (${walk.turns}) t(tier, windows) cross join (values (1), (2)) p(part)`,
    rows: sql`${rowsOf(walk, stretches(matching))} limit taken.places`,
  };
}

/**
 * Blocks of several organizations overlap. Each round reads more blocks, lowest first, while an unread block
 * may hold a better row than those found. A row in two blocks is read twice but counted once.
 */
function stagedWalk(walk: BlockWalk): Walk {
  const { table, organizations, inScope, condition, bounds } = walk;
  const areMany = organizations.length > bounds.apart;
  const isInReach = sql`(b.low <= w.last) is not false`;
  const rows = sql`with recursive ${areMany ? sight(walk) : sql``}
    own as materialized (select b.*, row_number() over (order by b.low, b.high, b.space) as place
      from (${areMany ? ownBlocks(walk) : blocks(walk, EITHER)}) b),
    rounds (upto, next, ids, titles, last) as (
      select 0, ${bounds.round}, array[]::uuid[], array[]::text[] collate "C", null::text collate "C"
      union all select w.next, 2 * w.next, f.ids, f.titles,
        search_place(f.titles[taken.places], f.ids[taken.places]) collate "C"
      from rounds w cross join lateral (
        select array_agg(id order by title, id) as ids, array_agg(title order by title, id) as titles from (
        select * from unnest(w.ids, w.titles) f(id, title)
        union select f.id, f.title
          from (select b.space, ${ends(sql`b.low`, sql`least(b.high, w.last)`)}
            from own b where b.place > w.upto and b.place <= w.next and ${isInReach} ${AS_ASKED}) b
          cross join lateral (select t.id, t.title from ${table} t
            where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin}
            and ${condition} order by t.title, t.id limit taken.places) f
        order by title, id limit taken.places) f) f
      where exists (select from own b where b.place = w.upto + 1 and ${isInReach}))
    select f.id, f.title from (
      select f.* from (select * from rounds order by upto desc limit 1) w
        cross join unnest(w.ids, w.titles) f(id, title)
      ${areMany ? sql`union all select f.* from sight s cross join unnest(s.ids, s.titles) f(id, title) where not s.is_short` : sql``}) f
    order by f.title, f.id limit taken.places`;
  return {
    steps: sql`select t.tier - 2 as step, t.tier, t.windows from (${walk.turns}) t(tier, windows)`,
    rows,
  };
}

/**
 * With many organizations, some blocks of all titles are tried first: those marked `is_first`, or others if
 * none of those match. Each round reads more of them while the rows found so far suggest that they suffice.
 * Otherwise the organizations' own blocks are read, which is then faster.
 */
function sight(walk: BlockWalk): Sql {
  const { organizations, inScope, bounds } = walk;
  const most = countLiteral(organizations.length * bounds.ahead);
  const ofEverything = { ...walk, organizations: [], inScope: sql`(${inScope}) is true` };
  const lowest = sql`order by b.low, b.high limit ${most}`;
  const ahead = sql`(select count(*) from ahead)`;
  return sql`
    ahead as materialized (${blocks(ofEverything, FIRST)} ${lowest}),
    behind as materialized (${blocks(ofEverything, NOT_FIRST)} and ${ahead} = 0 ${lowest}),
    stretches as materialized (${stretches(sql`select * from ahead union all select * from behind`)}),
    looks (upto, next, ids, titles, ahead, behind) as (
      select 0, ${bounds.tried}, array[]::uuid[], array[]::text[] collate "C",
        ${ahead}, (select count(*) from behind)
      union all select s.next, 2 * s.next, s.ids || f.ids, s.titles || f.titles, s.ahead, s.behind
      from looks s cross join lateral (
        select array_agg(id order by title, id) as ids, array_agg(title order by title, id) as titles from (
        ${rowsOf(ofEverything, sql`select * from stretches where place > s.upto and place <= s.next order by low`)}
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

function blocks({ table, organizations }: BlockWalk, which: Sql): Sql {
  const ofWhom =
    organizations.length === 0
      ? sql`${OF_EVERYTHING} and b.windows @@ ${asked([EVERYTHING])}`
      : sql`${OF_ORGANIZATIONS} and b.windows @@ (${anyIdLiteral(organizations)} && turn.windows)`;
  return sql`select b.low, b.high, b.space from ${table}_block b where ${which} and ${ofWhom}`;
}

/**
 * Returns no rows if `sight` found enough. Checking each block's owner is faster than an index look-up for
 * each of many organizations.
 */
function ownBlocks({ table, organizations }: BlockWalk): Sql {
  return sql`select b.low, b.high, b.space from ${table}_block b
    where (b.space = any(${uuidsLiteral(organizations)})) is true
      and ${OF_ORGANIZATIONS} and b.windows @@ ${asked(organizations)} and (select is_short from sight)`;
}

/**
 * The tsquery of the windows. If it is empty, the tsquery of the spaces is used instead, because an empty
 * query matches nothing.
 */
function asked(spaces: readonly string[]): Sql {
  return sql`case when turn.windows = '' then ${anyIdLiteral(spaces)} else turn.windows end`;
}

/** The matching rows in order. A LIMIT around this query ends the walk early. */
function rowsOf({ table, inScope, condition }: BlockWalk, walked: Sql): Sql {
  return sql`select f.id, f.title from (${walked}) b cross join lateral (select t.id, t.title from ${table} t
      where not t.is_odd and ${isWithin} and (not b.is_passed or (t.title, t.id) > (b.low_title, b.low_id))
        and ${inScope} and ${condition} ${AS_ASKED}) f
    order by b.low, f.title, f.id`;
}

/** Makes stretches from blocks: each begins where the earlier blocks end, so no row is read twice. */
function stretches(matching: Sql): Sql {
  return sql`select b.low, b.high, b.place, coalesce(b.low <= b.passed, false) as is_passed,
      ${ends(sql`greatest(b.low, b.passed)`, sql`b.high`)}
    from (select b.low, b.high, row_number() over by_place as place,
        max(b.high) over (by_place rows between unbounded preceding and 1 preceding) as passed
      from (${matching}) b window by_place as (order by b.low, b.high)) b
    where (b.high <= b.passed) is not true order by b.low ${AS_ASKED}`;
}

function ends(low: Sql, high: Sql): Sql {
  return sql`search_place_title(${low}) as low_title, search_place_id(${low}) as low_id,
    search_place_title(${high}) as high_title, search_place_id(${high}) as high_id`;
}

const isWithin = sql`(t.title, t.id) >= (b.low_title, b.low_id) and (t.title, t.id) <= (b.high_title, b.high_id)`;
