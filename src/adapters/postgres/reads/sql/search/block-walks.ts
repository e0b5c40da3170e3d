/**
 * Walks of the last two turns of a search: the first rows of a tier by title and id, in the blocks that have all
 * windows of the text (see the migration of 2026-11-22).
 */
import { anyIdLiteral, type Sql, sql, uuidLiteral } from '#adapters/postgres/reads/sql/literal.ts';
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

/** No bound, but a fence for the planner: what is beneath is computed once for each row, and read as it is asked for. */
const AS_ASKED = sql`offset 0`;

const IN_ORDER = sql`order by b.low, b.high`;

/**
 * In one sequence of blocks: those that have the windows, in order, until there are enough rows. The first of them
 * mostly are enough, and to find these takes a fraction of sorting all.
 */
export function orderedWalk(walk: BlockWalk): Sql {
  const { name, tier, limit, bounds } = walk;
  return sql`
    ${name}_blocks as materialized (${blocks(walk)} ${IN_ORDER} limit ${bounds.sorted}),
    ${name} as materialized (select f.id, ${tier} as tier, f.title
      from (${rowsOf(
        walk,
        sql`${peek(walk)}
          union all select * from ${name}_blocks
          union all (${blocks(walk)} and (select count(*) from ${name}_blocks) >= ${bounds.sorted}
            ${IN_ORDER} offset ${bounds.sorted})`,
      )}) f
      limit ${limit})`;
}

/**
 * In several organizations. If they are many, the first blocks of everything come before, which are enough for a text
 * that is common there, and for one that no others have. If not, their own blocks follow, which lie across each other:
 * all rows of the first; then of the next, and then of all others, as far as they come before the last of the rows that
 * would do. Blocks of one organization overlap too; a row that two of them have is read twice and counts once.
 */
export function stagedWalk(walk: BlockWalk): Sql {
  const { name, tier, table, organizations, inScope, condition, limit, bounds, places } = walk;
  const upTo = (stages: readonly Sql[]) => stages.map((stage) => sql`select * from ${name}_${stage}`);
  const stage = (step: Sql, before: readonly Sql[], from: Sql) => {
    const most =
      before.length === 0
        ? sql`null`
        : sql`(select search_place(title, id) from (${upTo(before).join(' union all ') as Sql}) f
            group by title, id order by title, id limit 1 offset ${limit} - 1)`;
    return sql`${name}_${step} as materialized (select f.id, f.title
      from (select b.space, ${ends(sql`b.low`, sql`least(b.high, b.most)`)}
        from (select b.*, m.most from (select ${most} collate "C" as most ${AS_ASKED}) m
          join ${name}_blocks b on (b.low <= m.most) is not false ${IN_ORDER}, b.space ${from}) b ${AS_ASKED}) b
      cross join lateral (select t.id, t.title from ${table} t
        where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin}
        and ${condition} order by t.title, t.id limit ${limit}) f)`;
  };
  const stages = [sql`first`, sql`next`, sql`rest`] as const;
  const areMany = organizations.length > bounds.apart;
  const ofEverything = { ...walk, organizations: [], inScope: sql`(${inScope}) is true` };
  const sight = sql`
    ${name}_sighted as materialized (${blocks(ofEverything)} ${IN_ORDER} limit ${bounds.sight}),
    ${name}_sight as materialized (select f.id, f.title
      from (${rowsOf(ofEverything, sql`${peek(ofEverything)} union all select * from ${name}_sighted`)}) f
      limit ${limit}),`;
  const isMissed = sql`and ${places} > (select count(*) from ${name}_sight)
    and (select count(*) from ${name}_sighted) >= ${bounds.sight}`;
  return sql`${areMany ? sight : sql``}
    ${name}_blocks as materialized (${blocks(walk)} ${areMany ? isMissed : sql``}),
    ${stage(stages[0], [], sql`limit ${bounds.first}`)},
    ${stage(stages[1], [stages[0]], sql`offset ${bounds.first} limit ${bounds.next}`)},
    ${stage(stages[2], stages.slice(0, 2), sql`offset ${bounds.first} + ${bounds.next}`)},
    ${name} as materialized (select f.id, ${tier} as tier, f.title
      from (${upTo(areMany ? [sql`sight`, ...stages] : stages).join(' union ') as Sql}) f
      order by title, id limit ${limit})`;
}

/** The blocks that have all the windows. */
function blocks({ table, organizations, windows, places }: BlockWalk): Sql {
  const space = anyIdLiteral(organizations.length === 0 ? [EVERYTHING] : organizations);
  return sql`select b.low, b.high, b.space from ${table}_block b
    where ${places} > 0 and b.windows @@ (${space} && ${windows}::tsquery)`;
}

/**
 * The first rows as one block whatever they hold, for a single character: most of these are in every other title, and
 * need no look at all the blocks that have them.
 */
function peek({ table, organizations, inScope, places, bounds }: BlockWalk): Sql {
  const inSpace = organizations.length === 0 ? sql`true` : inScope;
  return sql`select search_place('', ${uuidLiteral(EVERYTHING)}) as low, search_place(t.title, t.id) as high,
      ${uuidLiteral(EVERYTHING)} as space
    from (select t.title, t.id from ${table} t
      where ${places} > 0 and length($1) = 1 and not t.is_odd and ${inSpace}
      order by t.title, t.id limit 1 offset ${bounds.peeked}) t`;
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
