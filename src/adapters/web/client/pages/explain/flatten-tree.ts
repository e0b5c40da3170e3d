import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { isGroup } from './is-group.ts';

export interface FlatNode {
  readonly node: NodeJson;
  readonly level: number;
  /** The index of its group; null for the root. */
  readonly parent: number | null;
  /** Conditions in it, at any level; 1 for a condition. */
  readonly size: number;
}

/** Every node in document order, as explanations have them. */
export function flattenTree(root: ConditionJson): readonly FlatNode[] {
  const flat: { node: NodeJson; level: number; parent: number | null; size: number }[] = [];
  const stack = [{ node: root as NodeJson, level: 0, parent: null as number | null }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const index = flat.push({ ...next, size: isGroup(next.node) ? 0 : 1 }) - 1;
    if (!isGroup(next.node)) continue;
    for (const node of next.node.conditions.toReversed()) {
      stack.push({ node, level: next.level + 1, parent: index });
    }
  }
  // From the last on, so that a group is complete before it counts for the group around it.
  for (const { parent, size } of flat.toReversed()) {
    const group = parent === null ? undefined : flat[parent];
    if (group !== undefined) group.size += size;
  }
  return flat;
}
