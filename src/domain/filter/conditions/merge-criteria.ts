/**
 * Merges criteria on the same field in a group: `a OR b OR c` becomes one set look-up. Ten thousand
 * conditions on a field are then answered in time (Contract: §4, depth and breadth). The smaller set merges
 * into the larger, so each value is copied at most log n times.
 */
import { type InstantRange, mergeRanges } from '#domain/filter/values/ranges.ts';
import { intersect, subtract } from '#domain/sets.ts';
import type { Criterion, GroupOperator } from './condition.ts';
import type { PredicateKind } from './predicate.ts';

export interface CriterionDraft {
  readonly kind: 'criterion';
  /** The first of the merged criteria. The others have the same field and kind of predicate. */
  readonly first: Criterion;
  readonly position: number;
  readonly isNegated: boolean;
  /** The merged values, used by no other draft; null until something is merged. */
  readonly merged: Set<string | number> | InstantRange[] | null;
}

export function draftCriterion(first: Criterion, position: number): CriterionDraft {
  return { kind: 'criterion', first, position, isNegated: first.isNegated, merged: null };
}

/** Members of a group with the same key can be merged. Null if the draft cannot be merged. */
export function mergeKey(operator: GroupOperator, { first, isNegated }: CriterionDraft): string | null {
  const { kind } = first.predicate;
  const isMergeable = canMerge(MERGING[kind], operator, isNegated, first.reads);
  return isMergeable ? `${kind} ${first.field.key}` : null;
}

/** The drafts must have the same `mergeKey`. Merging changes both, so do not use them again. */
export function mergeDrafts(operator: GroupOperator, a: CriterionDraft, b: CriterionDraft): CriterionDraft {
  const { first, position } = a.position < b.position ? a : b;
  const { predicate } = first;
  if (predicate.kind === 'instantIn') {
    return { ...a, first, position, merged: joinLists(rangesOf(a), rangesOf(b)) };
  }
  if (MERGING[predicate.kind] !== 'as sets') {
    return { ...a, first, position, merged: unite(valuesOf(a), valuesOf(b)) };
  }
  // Under AND, `in b` and `notIn a` become `in (b - a)`. Under OR, `notIn b` and `in a` become `notIn (b - a)`.
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

/** Whether the criterion makes an AND always false, or an OR always true. */
export function isContradiction({ merged }: CriterionDraft): boolean {
  return merged instanceof Set && merged.size === 0;
}

export function finishCriterion({ first, isNegated, merged }: CriterionDraft): Criterion {
  if (merged === null) return first;
  const { kind, reads, field, predicate } = first;
  const change = merged instanceof Set ? { values: merged } : { ranges: mergeRanges(merged) };
  // The cast is safe: merged values have the type of the first criterion's values.
  return { kind, reads, field, predicate: { ...predicate, ...change }, isNegated } as Criterion;
}

/**
 * How the values of criteria merge:
 * - `as sets`: by set algebra if the field has one value, else like `by union`.
 * - `by union`: one of the values is enough.
 * - `all`: all values are required.
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
  versionRange: 'never',
  booleanIs: 'never',
  withinLast: 'never',
  elapsedDaysRange: 'never',
  empty: 'never',
  matchesAny: 'never',
};

function canMerge(
  merging: Merging,
  operator: GroupOperator,
  isNegated: boolean,
  reads: Criterion['reads'],
): boolean {
  // "a or b" under OR; "neither a nor b" under AND.
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
  }
}

/** The first call copies the criterion's set, because merging changes it. */
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
