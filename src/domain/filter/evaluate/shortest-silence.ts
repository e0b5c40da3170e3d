/** The shortest silence after which hearing a device again can change a filter's answer (Contract: §17, Cost). */
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Criterion, Node } from '#domain/filter/conditions/condition.ts';
import { eachCriterion } from '#domain/filter/conditions/expand-inner.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { type RelativePredicate, rangesAt } from '#domain/filter/values/relative-instants.ts';
import { DAY_MS } from '#domain/time.ts';

/** The days of the shortest month. */
const DAYS_OF_MONTH = 28;

export function readsLastSeen({ source }: FilterField): boolean {
  return source.kind === 'core' && (source.key === 'lastSeenAt' || source.key === 'daysSinceLastSeen');
}

/**
 * In milliseconds. Hearing a device again after a shorter silence changes no answer. Infinity: no silence
 * matters. Null: the filter does not read when a device was last heard.
 */
export function shortestSilence(root: Node<Criterion>): number | null {
  let shortest: number | null = null;
  eachCriterion(root, simplifyConditions, (criterion) => {
    if (readsLastSeen(criterion.field)) shortest = Math.min(shortest ?? Infinity, silenceOf(criterion));
  });
  return shortest;
}

function silenceOf({ predicate }: Criterion): number {
  switch (predicate.kind) {
    case 'withinLast': {
      const { amount, unit } = predicate.span;
      if (unit === 'months') return amount * DAYS_OF_MONTH * DAY_MS;
      return boundOf(predicate);
    }
    case 'elapsedDaysIn':
    case 'elapsedDaysRange':
      return boundOf(predicate);
    case 'present':
      return Infinity;
    // The filter may name an instant between the last contact and now, so any silence can matter.
    default:
      return 0;
  }
}

/** The smallest age, in milliseconds, at which an instant passes a bound of the predicate. */
function boundOf(predicate: RelativePredicate): number {
  let first = Infinity;
  for (const { from, to } of rangesAt(predicate, 0)) {
    for (const bound of [from, to]) if (bound !== null) first = Math.min(first, -bound);
  }
  return Math.max(first, 0);
}
