/**
 * Whether a filter looks as if few devices matched it. A guess by its form, for want of anything better: under
 * row-level security, a policy of `true` included, PostgreSQL withholds its statistics from every operator that is
 * not leakproof (LIKE, ~, &&, @>, comparing enums), so the planner's own guess is none.
 */
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { foldConditions } from '#domain/filter/conditions/fold-conditions.ts';
import type { Predicate, PredicateKind } from '#domain/filter/conditions/predicate.ts';

/** Shorter texts are in nearly every value, in characters. */
const SHORTEST_TELLING_TEXT = 2;

export function looksSelective(root: Node<Criterion>): boolean {
  return foldConditions<Criterion, boolean>(root, {
    condition: ({ field, predicate, isNegated }) =>
      !isNegated && field.type !== 'enum' && !field.isUuid && asksForSomethingRare(predicate),
    group: ({ operator }, members) =>
      operator === 'AND' ? members.some(Boolean) : members.length > 0 && members.every(Boolean),
  });
}

function asksForSomethingRare(predicate: Predicate): boolean {
  if (predicate.kind === 'textLike') return predicate.folded.length >= SHORTEST_TELLING_TEXT;
  return NAMES_ITS_VALUES[predicate.kind];
}

/** Who names a text, a tag or a title is after those that have it; a range or a flag is had by many. */
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
