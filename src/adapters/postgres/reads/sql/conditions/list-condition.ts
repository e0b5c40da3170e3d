/** Conditions on a list as a whole: an array column of the device. */
import { arrayLiteral, numberLiteral, type Sql, sql } from '#adapters/postgres/reads/sql/literal.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { ListCriterion } from '#domain/filter/conditions/condition.ts';
import { listColumn } from './device-columns.ts';

/** Above this many values, comparing a list with the whole array is the slower way. */
const LONG_LIST = 100;

/** Whether the predicate holds of the list; never NULL. */
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

/** Whether the list shares an element with the values: in the form that an index on the array serves, if they are few. */
export function overlaps(list: Sql, values: ReadonlySet<string>): Sql {
  const array = arrayLiteral(values, sql`text`);
  // Overlap compares every element with every value; above some size a hashed look-up of each element wins.
  return values.size > LONG_LIST
    ? sql`exists (select 1 from unnest(${list}) e where e = any(${array}))`
    : sql`${list} && ${array}`;
}
