/**
 * Whether few devices are likely to match a filter. This is a guess by the filter's form: under row-level security,
 * even with a policy of `true`, PostgreSQL withholds its statistics from every operator that is not leakproof
 * (LIKE, ~, &&, @>, comparing enums), so the planner cannot estimate either.
 */
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate, PredicateKind } from '#domain/filter/conditions/predicate.ts';

/** In characters. Shorter texts are in nearly every value. */
const SHORTEST_TELLING_TEXT = 2;

/** In characters: a trigram. */
export const SHORTEST_INDEXED_TEXT = 3;

export function looksSelective(root: Node<Criterion>, shortestText = SHORTEST_TELLING_TEXT): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: ({ field, predicate, isNegated }) =>
      !isNegated && field.type !== 'enum' && !field.isUuid && asksForSomethingRare(predicate, shortestText),
    group: ({ operator }, members) =>
      operator === 'AND' ? members.some(Boolean) : members.length > 0 && members.every(Boolean),
  });
}

/** Whether every match has a flag that the filter names, or one status of several, by which an index finds devices. */
export function namesFlagOrStatus(root: Node<Criterion>): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: ({ field, predicate, isNegated }) =>
      !isNegated && (predicate.kind === 'booleanIs' ? predicate.value : field.key === 'status'),
    group: ({ operator }, members) =>
      operator === 'AND' ? members.some(Boolean) : members.length > 0 && members.every(Boolean),
  });
}

/** Whether the matches, few as they are, are found by indexes rather than among all devices. */
export function looksIndexed(root: Node<Criterion>): boolean {
  return looksSelective(root, SHORTEST_INDEXED_TEXT);
}

function asksForSomethingRare(predicate: Predicate, shortestText: number): boolean {
  if (predicate.kind === 'textLike') return predicate.folded.length >= shortestText;
  return NAMES_ITS_VALUES[predicate.kind];
}

/** Few devices have the text, tag or title that somebody asks for by name; many are in a range or have a flag. */
const NAMES_ITS_VALUES: Readonly<Record<Exclude<PredicateKind, 'textLike'>, boolean>> = {
  textIn: true,
  foldedTextIn: true,
  pattern: true,
  numberIn: true,
  hasAny: true,
  hasAll: true,
  hasAllFolded: true,
  present: false,
  numberRange: false,
  booleanIs: false,
  instantIn: false,
  withinLast: false,
  elapsedDaysIn: false,
  elapsedDaysRange: false,
  empty: false,
};
