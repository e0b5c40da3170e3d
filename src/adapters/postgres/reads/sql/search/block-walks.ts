/**
 * Walks of the last two turns of a search: the first rows of a tier by title and id, in the blocks that have all
 * windows of the text (see the migration of 2026-11-22).
 */
import { anyIdLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
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

/** No bound, but a fence for the planner: the rows of each block are read in order, as they are asked for. */
const AS_ASKED = sql`offset 0`;

/** Sorts after every title. */
const LAST = sql`repeat(chr(1114111), 600)`;

/**
 * In one sequence of blocks: those that have the windows, in order, until there are enough rows. Where blocks overlap,
 * each begins where those before it have ended, so that rows come in order and none comes twice.
 */
export function orderedWalk(walk: BlockWalk): Sql {
  const { name, tier, table, inScope, condition, limit } = walk;
  return sql`
    ${name} as materialized (select f.id, ${tier} as tier, f.title
      from (select b.low, b.high,
          max(b.high) over (order by b.low rows between unbounded preceding and 1 preceding) as passed
        from (${blocks(walk)}) b) b
      cross join lateral (select t.id, t.title from ${table} t
        where ${isNext} and ${inScope} and ${condition} order by t.title, t.id ${AS_ASKED}) f
      limit ${limit})`;
}

/** The rows of the block `b` that are in none before it. */
const isNext = sql`not t.is_odd and ${isWithin(sql`b.low`, sql`b.high`)}
  and (b.passed is null or (t.title, t.id) > ${place(sql`b.passed`)})`;

/**
 * In several organizations. The first rows of the blocks of everything are enough for a text that is common there. If
 * not, their own blocks follow, which lie across each other: all rows of the first; then of the next, and then of all
 * others, as far as they begin before the last of the rows that would do. Blocks of one organization overlap too; a
 * row that two of them have is read twice and counts once.
 */
export function stagedWalk(walk: BlockWalk): Sql {
  const { name, tier, table, inScope, condition, limit, bounds, places } = walk;
  const isMissed = sql`${places} > (select count(*) from ${name}_sight)`;
  const upTo = (stages: readonly Sql[]) => stages.map((stage) => sql`select * from ${name}_${stage}`);
  const first = sql`order by title, id limit ${limit}`;
  const stage = (step: Sql, before: readonly Sql[], from: Sql) => {
    const most =
      before.length === 0
        ? LAST
        : sql`coalesce((select title from (${upTo(before).join(' union all ') as Sql}) f
            group by title, id order by title, id limit 1 offset ${limit} - 1), ${LAST})`;
    return sql`${name}_${step} as materialized (select f.id, f.title
      from (select * from ${name}_blocks where search_place_title(low) <= ${most}
        order by low, high, space ${from}) b
      cross join lateral (select t.id, t.title from ${table} t
        where not t.is_odd and t.org_id = b.space and (${inScope}) is true and ${isWithin(sql`b.low`, sql`b.high`)}
        and t.title <= ${most} and ${condition} order by t.title, t.id limit ${limit}) f)`;
  };
  const stages = [sql`first`, sql`next`, sql`rest`] as const;
  return sql`
    ${name}_sight as materialized (select t.id, t.title
      from (select t.* from (select b.low, b.high,
            max(b.high) over (order by b.low rows between unbounded preceding and 1 preceding) as passed
          from (${blocks({ ...walk, organizations: [] })}) b) b
        cross join lateral (select t.id, t.title, t.words, t.texts, t.org_id from ${table} t
          where ${isNext} order by t.title, t.id ${AS_ASKED}) t
        limit ${bounds.sight}) t
      where (${inScope}) is true and ${condition} limit ${limit}),
    ${name}_blocks as materialized (${blocks(walk)} and ${isMissed}),
    ${stage(stages[0], [], sql`limit ${bounds.first}`)},
    ${stage(stages[1], [stages[0]], sql`offset ${bounds.first} limit ${bounds.next}`)},
    ${stage(stages[2], stages.slice(0, 2), sql`offset ${bounds.first} + ${bounds.next}`)},
    ${name} as materialized (select f.id, ${tier} as tier, f.title
      from (${upTo([sql`sight`, ...stages]).join(' union ') as Sql}) f ${first})`;
}

/** The blocks that have all the windows. */
function blocks({ table, organizations, windows, places }: BlockWalk): Sql {
  const space = anyIdLiteral(organizations.length === 0 ? [EVERYTHING] : organizations);
  return sql`select b.space, b.low, b.high from ${table}_block b
    where ${places} > 0 and b.windows @@ (${space} && ${windows}::tsquery)`;
}

function isWithin(low: Sql, high: Sql): Sql {
  return sql`(t.title, t.id) >= ${place(low)} and (t.title, t.id) <= ${place(high)}`;
}

function place(text: Sql): Sql {
  return sql`(search_place_title(${text}), search_place_id(${text}))`;
}
