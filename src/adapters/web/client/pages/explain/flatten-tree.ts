import type { ExplainedNode } from '#adapters/http/api-types.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';

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

export function isGroup(node: NodeJson): node is ConditionJson {
  return 'conditions' in node;
}

/** It may be left out, or it alone leaves the group without the devices that it would match `without` it. */
export type GroupEffect = { readonly kind: 'idle' } | { readonly kind: 'empties'; readonly without: number };

/** Null where there is nothing to say. */
export function effectInGroup(
  { countWithout }: ExplainedNode,
  groupCount: number | undefined,
): GroupEffect | null {
  if (countWithout === undefined || groupCount === undefined) return null;
  if (countWithout === groupCount) return { kind: 'idle' };
  return groupCount === 0 ? { kind: 'empties', without: countWithout } : null;
}

/** A condition or a group, and how many devices it matches alone. */
interface MatchedAlone {
  readonly node: NodeJson;
  readonly count: number;
}

/**
 * Of what has to be met together where nothing matches: the part that matches fewest devices alone. Null where there is
 * only one, or where any of several would do.
 */
export function leastMatched(
  conditions: ConditionJson,
  nodes: readonly Pick<ExplainedNode, 'count'>[],
): MatchedAlone | null {
  const flat = flattenTree(conditions);
  const outermost = flat.findIndex(({ node }) => isGroup(node) && node.conditions.length > 1);
  if (flat[outermost]?.node.operator !== 'AND') return null;
  return (
    flat
      .flatMap(({ node, parent }, i) => (parent === outermost ? [{ node, count: nodes[i]?.count ?? 0 }] : []))
      .toSorted((a, b) => a.count - b.count)[0] ?? null
  );
}
