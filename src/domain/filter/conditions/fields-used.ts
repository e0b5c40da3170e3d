import type { Criterion, Node } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';

/** The keys of the fields that a filter reads, each once, in the order of first use. */
export function fieldsUsed(root: Node<Criterion>): readonly string[] {
  const keys = new Set<string>();
  foldConditions<Criterion, void>(root, {
    condition: (condition) => void keys.add(condition.field.key),
    group: () => undefined,
  });
  return [...keys];
}
