import type { Criterion, Node } from './condition.ts';
import { foldConditions } from './fold-conditions.ts';

/** Keys of all fields in the filter, each once, in order of first use. */
export function fieldsUsed(root: Node<Criterion>): readonly string[] {
  const keys = new Set<string>();
  foldConditions<Criterion, void>(root, {
    condition: (condition) => void keys.add(condition.field.key),
    group: () => undefined,
  });
  return [...keys];
}
