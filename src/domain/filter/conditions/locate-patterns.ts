/** Where a filter has regular expressions, so that the refusal of one can name its place. */
import { MAX_FAULTS } from '#domain/limits.ts';
import type { ConditionGroup } from './condition.ts';
import { faultPath } from './filter-fault.ts';
import { foldConditions } from './fold-conditions.ts';

/** A regular expression, and where it stands. */
export interface LocatedPattern {
  readonly pattern: string;
  /** E.g. `conditions.conditions[0].value`. */
  readonly path: string;
}

/** Every pattern with its place, in document order; after the first hundred, the place is not spelt out. */
export function locatePatterns(root: ConditionGroup): readonly LocatedPattern[] {
  const patterns = new Set<object>();
  foldConditions(root, {
    condition: (condition) => void (condition.predicate.kind === 'pattern' && patterns.add(condition)),
    group: () => undefined,
  });
  if (patterns.size === 0) return [];
  const located: LocatedPattern[] = [];
  const open: { readonly group: ConditionGroup; next: number }[] = [{ group: root, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const node = top.group.conditions[top.next];
    top.next++;
    if (node === undefined) open.pop();
    else if (node.kind === 'group') open.push({ group: node, next: 0 });
    else if (node.predicate.kind === 'pattern') {
      const indices = located.length < MAX_FAULTS ? open.map(({ next }) => next - 1) : [];
      located.push({ pattern: node.predicate.pattern, path: faultPath(indices, 'value') });
    }
  }
  return located;
}
