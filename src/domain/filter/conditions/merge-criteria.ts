/**
 * Several tests of one field in one group, said as one: `a OR b OR c` on a hostname is one look into a set. Ten
 * thousand conditions on a field are answered in time because of this (Contract: §4, depth and breadth).
 */
import { MULTI_ROW_FIELDS } from '#domain/filter/catalog/core-fields.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { mergeRanges } from '#domain/filter/values/instant-range.ts';
import type { Criterion, GroupOperator } from './condition.ts';
import type { Predicate } from './predicate.ts';

/**
 * The same group with fewer tests. With OR the positive tests of a field become one over the union of their
 * values, with AND the negative ones (neither a nor b). A field with a single value also joins the others: it
 * cannot be two things at once.
 */
export function mergeCriteria(operator: GroupOperator, tests: readonly Criterion[]): readonly Criterion[] {
  const byField = new Map<string, Criterion[]>();
  for (const test of tests) {
    const key = mergeKey(operator, test);
    const same = byField.get(key);
    if (same === undefined) byField.set(key, [test]);
    else same.push(test);
  }
  return [...byField.entries()].flatMap(([key, same]) =>
    same.length === 1 || key === '' ? same : [mergeSame(operator, same)],
  );
}

/** Tests with the same key can be said as one; the empty key stands alone. */
function mergeKey(operator: GroupOperator, { field, predicate, isNegated }: Criterion): string {
  const joinsByUnion = isNegated === (operator === 'AND');
  switch (predicate.kind) {
    case 'textIn':
    case 'numberIn':
      return joinsByUnion || !hasSeveralRows(field)
        ? `${predicate.kind} ${hasSeveralRows(field)} ${field.key}`
        : '';
    case 'foldedTextIn':
    case 'elapsedDaysIn':
    case 'instantIn':
    case 'hasAny':
      return joinsByUnion ? `${predicate.kind} ${field.key}` : '';
    case 'hasAll':
      return operator === 'AND' && !isNegated ? `${predicate.kind} ${field.key}` : '';
    case 'present':
    case 'textLike':
    case 'pattern':
    case 'numberRange':
    case 'booleanIs':
    case 'withinLast':
    case 'elapsedDaysRange':
    case 'hasAllFolded':
    case 'empty':
      return '';
  }
}

function hasSeveralRows(field: FilterField): boolean {
  return field.source.kind === 'core' && MULTI_ROW_FIELDS.has(field.source.key);
}

function mergeSame(operator: GroupOperator, tests: readonly Criterion[]): Criterion {
  const [first] = tests;
  if (first === undefined) throw new Error('nothing to merge');
  const kind = first.predicate.kind;
  if (kind === 'instantIn') {
    const ranges = tests.flatMap(({ predicate }) => (predicate.kind === 'instantIn' ? predicate.ranges : []));
    return { ...toTest(first), predicate: { kind, ranges: mergeRanges(ranges) } };
  }
  if (kind !== 'textIn' && kind !== 'numberIn') {
    const values = tests.flatMap(({ predicate }) => [...valuesOf(predicate)]);
    return { ...toTest(first), predicate: { kind, values: new Set(values) } as Predicate };
  }
  const { values, isNegated } = combineSets(operator, tests);
  return { ...toTest(first), predicate: { kind, values } as Predicate, isNegated };
}

/**
 * The set algebra of tests on one value: a positive test is a set of values, a negative one all but a set. AND is
 * worked as OR of the complements, so that only union is left to define.
 */
function combineSets(
  operator: GroupOperator,
  tests: readonly Criterion[],
): { readonly values: ReadonlySet<string | number>; readonly isNegated: boolean } {
  const isAnd = operator === 'AND';
  const included = new Set<string | number>();
  let excluded: ReadonlySet<string | number> | null = null;
  for (const { predicate, isNegated } of tests) {
    const values = valuesOf(predicate);
    if (isNegated === isAnd) for (const value of values) included.add(value);
    else excluded = excluded === null ? new Set(values) : excluded.intersection(values);
  }
  return excluded === null
    ? { values: included, isNegated: isAnd }
    : { values: excluded.difference(included), isNegated: !isAnd };
}

function valuesOf(predicate: Predicate): ReadonlySet<string | number> {
  if (!('values' in predicate)) throw new Error(`${predicate.kind} has no values`);
  return predicate.values;
}

function toTest({ kind, field, predicate, isNegated }: Criterion): Criterion {
  return { kind, field, predicate, isNegated };
}
