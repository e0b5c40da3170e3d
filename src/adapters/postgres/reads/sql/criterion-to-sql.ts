/**
 * One test of a filter as SQL: what each predicate means on PostgreSQL. A positive test of a missing value is NULL
 * and not false, since wrapping it would hide it from every index; whoever nests tests reads NULL as false, as
 * WHERE does. A negative test is the exact complement and never NULL.
 */
import { assertNever } from '#domain/assert-never.ts';
import type { Criterion } from '#domain/filter/conditions/condition.ts';
import type { Predicate } from '#domain/filter/conditions/predicate.ts';
import type { InstantRange } from '#domain/filter/values/instant-range.ts';
import type { NumberRange } from '#domain/filter/values/number-range.ts';
import { rangesAt } from '#domain/filter/values/relative-instants.ts';
import { CALENDAR_END_MS, CALENDAR_START_MS } from '#domain/filter/values/time-span.ts';
import type { EpochMs } from '#domain/time.ts';
import { columnOf, type DeviceColumn, type ValueColumn } from './device-columns.ts';
import {
  arrayLiteral,
  booleanLiteral,
  instantLiteral,
  likeLiteral,
  numberLiteral,
  numbersLiteral,
  type Sql,
  sql,
  textLiteral,
} from './literal.ts';
import { softwareCondition, type TitleIds } from './software.ts';
import { tagCondition } from './tag-condition.ts';

export interface TestContext {
  /** The instant of evaluation. */
  readonly at: EpochMs;
  /** The ids of the software titles that predicates ask for. */
  readonly titleIds: TitleIds;
  /** Whether the planner may join a table of rows for this test; for a few of them it may, see `filterToSql`. */
  readonly mayJoinRows: boolean;
}

export function criterionToSql({ field, predicate, isNegated }: Criterion, context: TestContext): Sql {
  const column = columnOf(field);
  const positive = compilePositive(column, predicate, context);
  if (!isNegated) return positive.sql;
  return positive.isNullable ? sql`(${positive.sql}) is not true` : sql`not (${positive.sql})`;
}

/** Values in a list from which on comparing it with a whole list is the slower way. */
const LONG_LIST = 100;

/** SQL that may be NULL where the value is missing. */
interface Positive {
  readonly sql: Sql;
  readonly isNullable: boolean;
}

function compilePositive(column: DeviceColumn, predicate: Predicate, context: TestContext): Positive {
  switch (column.kind) {
    case 'list':
      return { sql: listCondition(column.value, predicate), isNullable: false };
    case 'tags':
      return { sql: tagCondition(predicate), isNullable: false };
    case 'software':
      return { sql: softwareCondition(predicate, context.titleIds), isNullable: true };
    case 'rows': {
      const row: ValueColumn = {
        ...column,
        kind: 'value',
        isNullable: true,
        type: sql`text`,
        instants: 'timestamptz',
        join: null,
      };
      const exists = column.exists(valueCondition(row, predicate, context));
      // What is asked of EXISTS is no longer EXISTS itself, which is all that the planner makes joins of.
      return { sql: context.mayJoinRows ? exists : sql`(${exists}) is true`, isNullable: false };
    }
    case 'value':
      return {
        sql: valueCondition(column, predicate, context),
        isNullable: column.isNullable && predicate.kind !== 'present',
      };
    default:
      return assertNever(column);
  }
}

function listCondition(list: Sql, predicate: Predicate): Sql {
  switch (predicate.kind) {
    case 'hasAny': {
      const values = arrayLiteral(predicate.values, sql`text`);
      // Overlap compares every element with every value; past some size a hashed look-up of each element wins.
      return predicate.values.size > LONG_LIST
        ? sql`exists (select 1 from unnest(${list}) e where e = any(${values}))`
        : sql`${list} && ${values}`;
    }
    case 'hasAll': {
      const contains = sql`${list} @> ${arrayLiteral(predicate.values, sql`text`)}`;
      return predicate.values.size > LONG_LIST
        ? sql`(cardinality(${list}) >= ${numberLiteral(predicate.values.size)} and ${contains})`
        : contains;
    }
    case 'empty':
      return sql`${list} = '{}'`;
    default:
      throw new Error(`${predicate.kind} is no test of a list`);
  }
}

function valueCondition(column: ValueColumn, predicate: Predicate, context: TestContext): Sql {
  const { value, type } = column;
  switch (predicate.kind) {
    case 'present':
      return sql`${value} is not null`;
    case 'textIn': {
      const [only] = predicate.values;
      return predicate.values.size === 1 && only !== undefined
        ? sql`${value} = ${textLiteral(only)}::${type}`
        : sql`${value} = any(${arrayLiteral(predicate.values, type)})`;
    }
    case 'textLike': {
      if (column.folded === null) throw new Error('the column has no folded text');
      // The empty text is in every value, and a pattern of it would hide that from the planner.
      return predicate.folded === ''
        ? sql`${value} is not null`
        : sql`${column.folded} like ${likeLiteral(predicate.folded, predicate.position)}`;
    }
    case 'pattern':
      return sql`${value} ~ ${textLiteral(predicate.pattern)}`;
    case 'numberIn': {
      const [only] = predicate.values;
      return predicate.values.size === 1 && only !== undefined
        ? sql`${value} = ${numberLiteral(only)}`
        : sql`${value} = any(${numbersLiteral(predicate.values, sql`float8`)})`;
    }
    case 'numberRange':
      return numberRangeCondition(value, predicate.range);
    case 'booleanIs':
      return booleanCondition(column, predicate.value);
    case 'instantIn':
      return instantCondition(column, predicate.ranges);
    case 'withinLast':
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
      return instantCondition(column, rangesAt(predicate, context.at));
    case 'foldedTextIn':
    case 'hasAllFolded':
    case 'hasAny':
    case 'hasAll':
    case 'empty':
      throw new Error(`${predicate.kind} is no test of a single value`);
    default:
      return assertNever(predicate);
  }
}

function booleanCondition({ value, isNullable }: ValueColumn, expected: boolean): Sql {
  // A plain expression is what a partial index is recognised by.
  if (!isNullable) return expected ? value : sql`not ${value}`;
  return sql`${value} = ${booleanLiteral(expected)}`;
}

function numberRangeCondition(value: Sql, { min, isMinIncluded, max, isMaxIncluded }: NumberRange): Sql {
  const bounds: Sql[] = [];
  if (min !== null) bounds.push(sql`${value} ${isMinIncluded ? sql`>=` : sql`>`} ${numberLiteral(min)}`);
  if (max !== null) bounds.push(sql`${value} ${isMaxIncluded ? sql`<=` : sql`<`} ${numberLiteral(max)}`);
  return bounds.length === 0 ? sql`${value} is not null` : (bounds.join(' and ') as Sql);
}

function instantCondition(column: ValueColumn, ranges: readonly InstantRange[]): Sql {
  const { value, instants } = column;
  const known = instants === 'timestamptz' ? withinCalendar(ranges) : ranges;
  const [only] = known;
  if (only === undefined) return sql`false`;
  if (known.length === 1) return rangeCondition(column, only);
  if (instants === 'epochMs') {
    return sql`(${known.map((range) => rangeCondition(column, range)).join(' or ') as Sql})`;
  }
  // One look into a sorted list, however many ranges there are.
  const multirange = known
    .map(({ from, to }) => `[${from === null ? '' : isoText(from)},${to === null ? '' : isoText(to)})`)
    .join(',');
  return sql`${value} <@ ${textLiteral(`{${multirange}}`)}::tstzmultirange`;
}

/**
 * The same ranges of timestamps: none is stored beyond the calendar, nor has PostgreSQL any there to compare with.
 * A custom date is a number, and an offset can put it some hours beyond.
 */
function withinCalendar(ranges: readonly InstantRange[]): readonly InstantRange[] {
  return ranges.flatMap(({ from, to }): InstantRange[] => {
    if ((from !== null && from >= CALENDAR_END_MS) || (to !== null && to <= CALENDAR_START_MS)) return [];
    return [
      {
        from: from !== null && from > CALENDAR_START_MS ? from : null,
        to: to !== null && to < CALENDAR_END_MS ? to : null,
      },
    ];
  });
}

function rangeCondition({ value, instants }: ValueColumn, { from, to }: InstantRange): Sql {
  const literal = instants === 'epochMs' ? numberLiteral : instantLiteral;
  const bounds: Sql[] = [];
  if (from !== null) bounds.push(sql`${value} >= ${literal(from)}`);
  if (to !== null) bounds.push(sql`${value} < ${literal(to)}`);
  return bounds.length === 0 ? sql`${value} is not null` : sql`(${bounds.join(' and ') as Sql})`;
}

function isoText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
