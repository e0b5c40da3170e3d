/**
 * Several criteria on one field of one group as a single one: `a OR b OR c` on a hostname is one look-up in a set.
 * Ten thousand conditions on a field are answered in time because of this (Contract: §4, depth and breadth).
 *
 * Two are merged at a time, and the larger set takes in the smaller: however often the outcome is merged again, no
 * value is copied more often than the logarithm of their number.
 */
import { assertNever } from '#domain/assert-never.ts';
import { type InstantRange, mergeRanges } from '#domain/filter/values/instant-range.ts';
import { intersect, subtract } from '#domain/sets.ts';
import type { Criterion, GroupOperator } from './condition.ts';
import type { PredicateKind } from './predicate.ts';

/** A criterion that others may be merged into. */
export interface CriterionDraft {
  readonly kind: 'criterion';
  /** The first of those merged. All have its field and its kind of predicate. */
  readonly first: Criterion;
  /** Where in the filter the first of them stands. */
  readonly position: number;
  readonly isNegated: boolean;
  /** What they ask for together, in a collection of this draft's own; null until something is merged. */
  readonly merged: Set<string | number> | InstantRange[] | null;
}

export function draftCriterion(first: Criterion, position: number): CriterionDraft {
  return { kind: 'criterion', first, position, isNegated: first.isNegated, merged: null };
}

/** Members of a group with the same key can be merged; null has to stay on its own. */
export function mergeKey(operator: GroupOperator, { first, isNegated }: CriterionDraft): string | null {
  const { kind } = first.predicate;
  const isMergeable = canMerge(MERGING[kind], operator, isNegated, first.reads);
  return isMergeable ? `${kind} ${first.field.key}` : null;
}

/** Two members with the same key as one. It takes their collections over: neither can be used afterwards. */
export function mergeDrafts(operator: GroupOperator, a: CriterionDraft, b: CriterionDraft): CriterionDraft {
  const { first, position } = a.position < b.position ? a : b;
  const { predicate } = first;
  if (predicate.kind === 'instantIn') {
    return { ...a, first, position, merged: joinLists(rangesOf(a), rangesOf(b)) };
  }
  if (MERGING[predicate.kind] !== 'as sets') {
    return { ...a, first, position, merged: unite(valuesOf(a), valuesOf(b)) };
  }
  // A positive criterion is a set of values, a negative one all but a set. AND is worked as OR of the complements.
  const isAnd = operator === 'AND';
  const [isOwnA, isOwnB] = [a.isNegated === isAnd, b.isNegated === isAnd];
  if (isOwnA && isOwnB) return { ...a, first, position, merged: unite(valuesOf(a), valuesOf(b)) };
  const excluded = isOwnA
    ? takeAway(valuesOf(b), valuesOf(a))
    : isOwnB
      ? takeAway(valuesOf(a), valuesOf(b))
      : intersect(valuesOf(a), valuesOf(b));
  return { ...a, first, position, isNegated: !isAnd, merged: excluded };
}

/** Whether what was merged contradicts itself: AND then never holds, and OR always does. */
export function isContradiction({ merged }: CriterionDraft): boolean {
  return merged instanceof Set && merged.size === 0;
}

/** The criterion; the very one that was drafted if nothing was merged into it. */
export function finishCriterion({ first, isNegated, merged }: CriterionDraft): Criterion {
  if (merged === null) return first;
  const { kind, reads, field, predicate } = first;
  const change = merged instanceof Set ? { values: merged } : { ranges: mergeRanges(merged) };
  // The kind of predicate is the first one's, and so is the type of its values.
  return { kind, reads, field, predicate: { ...predicate, ...change }, isNegated } as Criterion;
}

/**
 * How two predicates of a kind on the same field are merged. `as sets`: by set algebra, whether negated or not,
 * since a single value cannot be two things at once; `by union`: only as alternatives; `all`: only as demands that
 * all have to be met.
 */
type Merging = 'as sets' | 'by union' | 'all' | 'never';

const MERGING: Readonly<Record<PredicateKind, Merging>> = {
  textIn: 'as sets',
  numberIn: 'as sets',
  foldedTextIn: 'by union',
  elapsedDaysIn: 'by union',
  instantIn: 'by union',
  hasAny: 'by union',
  hasAll: 'all',
  hasAllFolded: 'never',
  present: 'never',
  textLike: 'never',
  pattern: 'never',
  numberRange: 'never',
  booleanIs: 'never',
  withinLast: 'never',
  elapsedDaysRange: 'never',
  empty: 'never',
};

function canMerge(
  merging: Merging,
  operator: GroupOperator,
  isNegated: boolean,
  reads: Criterion['reads'],
): boolean {
  // a or b with OR, neither a nor b with AND.
  const areAlternatives = isNegated === (operator === 'AND');
  switch (merging) {
    case 'as sets':
      return areAlternatives || reads === 'value';
    case 'by union':
      return areAlternatives;
    case 'all':
      return operator === 'AND' && !isNegated;
    case 'never':
      return false;
    default:
      return assertNever(merging);
  }
}

/** The draft's own set; a copy of the criterion's the first time. */
function valuesOf({ first: { predicate }, merged }: CriterionDraft): Set<string | number> {
  if (merged instanceof Set) return merged;
  return new Set<string | number>('values' in predicate ? predicate.values : []);
}

function rangesOf({ first: { predicate }, merged }: CriterionDraft): InstantRange[] {
  if (Array.isArray(merged)) return merged;
  return 'ranges' in predicate ? [...predicate.ranges] : [];
}

function unite<T>(a: Set<T>, b: Set<T>): Set<T> {
  const [larger, smaller] = a.size < b.size ? [b, a] : [a, b];
  for (const value of smaller) larger.add(value);
  return larger;
}

function takeAway<T>(from: Set<T>, values: ReadonlySet<T>): Set<T> {
  if (from.size <= values.size) return subtract(from, values);
  for (const value of values) from.delete(value);
  return from;
}

function joinLists<T>(a: T[], b: T[]): T[] {
  const [longer, shorter] = a.length < b.length ? [b, a] : [a, b];
  for (const element of shorter) longer.push(element);
  return longer;
}
