/** Compares the matches of two versions of a filter (Contract: §18). */
import type { CompiledFilter } from '#adapters/postgres/reads/sql/conditions/filter-to-sql.ts';
import { countLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { rowColumns } from './device-page.ts';
import { countedRows, countOf, genuine } from './preview-query.ts';

/** `either` matches every device that `before` or `after` matches. */
export interface ComparedFilters {
  readonly before: CompiledFilter;
  readonly after: CompiledFilter;
  readonly either: CompiledFilter;
}

/**
 * If fewer devices enter or leave, the scan that counts them lists them too. Otherwise, walking devices in
 * order soon finds the first ones.
 */
export const FEW_COMPARED = 1_000;

/** See `ScopedStatement.comparison`. */
export function comparisonQuery(scope: AccessScope, compared: ComparedFilters, limit: number): Sql {
  const { before, after, either } = compared;
  if (either.narrow === 'software' || (before.isCountedByIndex && after.isCountedByIndex)) {
    return threeCounts(scope, compared);
  }
  const [was, is] = [genuine(before).condition, genuine(after).condition];
  const { id, rows } = countedRows(scope, either);
  const counts = sql`count(*) filter (where b) as before, count(*) filter (where a) as after, count(*) as either`;
  const evaluated = sql`(${was}) is true as b, (${is}) is true as a`;
  // One index counts by flags and enumerations, but it has no ids, so no devices are listed.
  if (either.readsFlagsAndWords) return sql`select ${counts} from (select ${evaluated} ${rows}) m`;
  const first = (enters: Sql, ids: Sql) => sql`
    (select ${enters} as enters, ${rowColumns(sql`d`)}, d.hostname_lc from unnest(${ids}) i(id) join device d on d.id = i.id
      where cardinality(${ids}) < ${countLiteral(FEW_COMPARED)} order by d.hostname_lc, d.id limit ${countLiteral(limit, 1)})`;
  return sql`select c.before, c.after, c.either, p.*
    from (select ${counts},
        array_agg(id) filter (where a and not b) as entering, array_agg(id) filter (where b and not a) as leaving
      from (select ${id} as id, ${evaluated} ${rows}) m) c
    left join lateral (${first(sql`true`, sql`c.entering`)} union all ${first(sql`false`, sql`c.leaving`)}) p on true
    order by p.hostname_lc, p.id`;
}

/** Where an index suffices for counting, three counts are faster than one scan. */
function threeCounts(scope: AccessScope, { before, after, either }: ComparedFilters): Sql {
  const count = (filter: CompiledFilter) => sql`(select total from ${countOf(scope, filter)} c)`;
  const same = [before, after].find(({ condition }) => condition === either.condition);
  const any = same === undefined ? count(either) : same === before ? sql`before` : sql`after`;
  return sql`select before, after, ${any} as either
    from (select ${count(before)} as before, ${count(after)} as after offset 0) m`;
}
