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
} from '#adapters/postgres/reads/sql/literal.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { ListCriterion } from '#domain/filter/conditions/condition.ts';
import type { TextPosition, ValuePredicate } from '#domain/filter/conditions/predicate.ts';
import type { Bounds, InstantRange } from '#domain/filter/values/ranges.ts';
import { rangesAt } from '#domain/filter/values/relative-instants.ts';
import { CALENDAR_END_MS, CALENDAR_START_MS } from '#domain/filter/values/time-span.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import { listColumn, type ValueColumn } from './device-columns.ts';
import { requiredTexts, SHORTEST_INDEXED_TEXT } from './required-texts.ts';

/** The condition is NULL if the value is missing, except for `present`. */
export function valueCondition(column: ValueColumn, predicate: ValuePredicate, at: EpochMs): Sql {
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
    case 'textLike':
      return likeCondition(column, predicate);
    case 'pattern':
      return demandedPattern(column, predicate.pattern);
    case 'numberIn': {
      const [only] = predicate.values;
      return predicate.values.size === 1 && only !== undefined
        ? sql`${value} = ${numberLiteral(only)}`
        : sql`${value} = any(${numbersLiteral(predicate.values, sql`float8`)})`;
    }
    case 'numberRange':
      return boundsCondition(value, predicate.range, numberLiteral);
    case 'versionRange':
      return boundsCondition(value, predicate.range, textLiteral);
    case 'booleanIs':
      return booleanCondition(column, predicate.value);
    case 'instantIn':
      return instantCondition(column, predicate.ranges);
    case 'withinLast':
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
      return instantCondition(column, rangesAt(predicate, at));
    default:
      return assertNever(predicate);
  }
}

function likeCondition(
  { value, folded, hasTrigrams }: ValueColumn,
  { folded: text, position }: Extract<ValuePredicate, { kind: 'textLike' }>,
): Sql {
  if (folded === null) throw new Error(`${value} has no folded companion`);
  // The planner cannot see that every value contains the empty text.
  if (text === '') return sql`${value} is not null`;
  // For a very short text, the trigram index returns every device, which the planner believes to be cheap.
  // The collation POSIX compares like C, but keeps PostgreSQL from using that index.
  const isApart = hasTrigrams && position === 'anywhere' && text.length < SHORTEST_INDEXED_TEXT;
  return sql`${folded}${isApart ? sql` collate "POSIX"` : sql``} like ${likeLiteral(text, position)}`;
}

/** Checks first for texts that every match contains. They are folded, so an index can find them. */
function demandedPattern({ value, folded }: ValueColumn, pattern: string): Sql {
  const matches = patternCondition(value, pattern);
  const required = requiredTexts(pattern);
  if (folded === null || required === null) return matches;
  const { texts, position, other } = required;
  const has = (text: string, position: TextPosition) =>
    sql`${folded} like ${likeLiteral(foldCase(text), position)}`;
  const likes = texts.map((text) => has(text, position));
  // IS TRUE keeps PostgreSQL from looking up `other` in the index, which would hardly narrow the search.
  const hasOther = other === null ? sql`` : sql` and (${has(other, 'anywhere')}) is true`;
  // An index finds the few values that begin with a required text. IS TRUE keeps PostgreSQL from also
  // extracting trigrams, which takes longer than matching these values.
  const isMatch = position === 'start' ? sql`(${matches}) is true` : matches;
  return sql`((${likes.join(' or ') as Sql})${hasOther} and ${isMatch})`;
}

function booleanCondition({ value, isNullable }: ValueColumn, expected: boolean): Sql {
  // The planner uses a partial index only for the bare expression, not for `expression = true`.
  if (!isNullable) return expected ? value : sql`not ${value}`;
  return sql`${value} = ${booleanLiteral(expected)}`;
}

function boundsCondition<T>(
  value: Sql,
  { min, isMinIncluded, max, isMaxIncluded }: Bounds<T>,
  literal: (bound: T) => Sql,
): Sql {
  const bounds: Sql[] = [];
  if (min !== null) bounds.push(sql`${value} ${isMinIncluded ? sql`>=` : sql`>`} ${literal(min)}`);
  if (max !== null) bounds.push(sql`${value} ${isMaxIncluded ? sql`<=` : sql`<`} ${literal(max)}`);
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
  // A multirange takes one look-up for any number of ranges.
  const multirange = known
    .map(({ from, to }) => `[${from === null ? '' : isoText(from)},${to === null ? '' : isoText(to)})`)
    .join(',');
  return sql`${value} <@ ${textLiteral(`{${multirange}}`)}::tstzmultirange`;
}

/**
 * Clips ranges to the years 1 to 9999, because `instantLiteral` cannot write others. Custom dates, which are
 * numbers, may lie some hours outside.
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

/** Beyond this many values, comparing whole arrays is slow. */
const LONG_LIST = 100;

/** The condition is never NULL. */
export function listCondition({ field, predicate }: ListCriterion): Sql {
  const list = listColumn(field);
  switch (predicate.kind) {
    case 'hasAny':
      return overlaps(list, predicate.values);
    case 'hasAll': {
      const contains = sql`${list} @> ${arrayLiteral(predicate.values, sql`text`)}`;
      return predicate.values.size > LONG_LIST
        ? sql`(cardinality(${list}) >= ${numberLiteral(predicate.values.size)} and ${contains})`
        : contains;
    }
    case 'empty':
      return sql`${list} = '{}'`;
    default:
      return assertNever(predicate);
  }
}

/** With few values, PostgreSQL can use an index on the list. */
export function overlaps(list: Sql, values: ReadonlySet<string>): Sql {
  const array = arrayLiteral(values, sql`text`);
  // `&&` compares each element with each value; `any` looks each element up in a hash table.
  return values.size > LONG_LIST
    ? sql`exists (select 1 from unnest(${list}) e where e = any(${array}))`
    : sql`${list} && ${array}`;
}

/** The collation makes `\w` match Unicode letters in every database. */
export function patternCondition(text: Sql, pattern: string): Sql {
  return sql`${text} ~ ${textLiteral(pattern)} collate patterns`;
}
