import type { ExplainedNode, Explanation } from '#adapters/http/api-types.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';

export interface FlatNode {
  readonly node: NodeJson;
  readonly level: number;
  readonly parent: number | null;
  /** The number of conditions inside, at any level; 1 for a condition. */
  readonly size: number;
}

/** Lists nodes in the same order as `nodes` of an explanation. */
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
  // Runs from the end, so each group is complete before it counts for its parent.
  for (const { parent, size } of flat.toReversed()) {
    const group = parent === null ? undefined : flat[parent];
    if (group !== undefined) group.size += size;
  }
  return flat;
}

export function isGroup(node: NodeJson): node is ConditionJson {
  return 'conditions' in node;
}

/**
 * `idle`: removing the node changes nothing. `empties`: the node alone empties its group, which would otherwise match
 * `without` devices.
 */
export type GroupEffect =
  | { readonly kind: 'idle' }
  | { readonly kind: 'empties'; readonly without: number; readonly isEstimate: boolean };

/**
 * Null for no effect, or an unknown one. A sample cannot prove that a node is idle, nor that a group is empty; only the
 * outermost group has an exact count then.
 */
export function effectInGroup(
  { countWithout }: ExplainedNode,
  group: Pick<ExplainedNode, 'path' | 'count'> | undefined,
  isSampled: boolean,
): GroupEffect | null {
  if (countWithout === undefined || group === undefined) return null;
  if (countWithout === group.count) return isSampled ? null : { kind: 'idle' };
  if (group.count > 0 || (isSampled && group.path !== OUTERMOST)) return null;
  return { kind: 'empties', without: countWithout, isEstimate: isSampled };
}

const OUTERMOST = 'conditions';

/** The margin of error in devices, at 95% confidence; null if the count is exact. */
export function marginOf(
  { path, count }: ExplainedNode,
  { sample }: Pick<Explanation, 'sample'>,
): number | null {
  if (sample === undefined || path === OUTERMOST) return null;
  const { devices, of } = sample;
  const share = count / of;
  // At a share of 0 or 1, the usual formula gives 0, so the rule of three (statistics) is used.
  const error = share === 0 || share === 1 ? 3 / devices : 1.96 * Math.sqrt((share * (1 - share)) / devices);
  return Math.ceil(error * of);
}

interface MatchedAlone {
  readonly node: NodeJson;
  readonly count: number;
}

/** The part of the outermost AND that matches the fewest devices by itself. Null for an OR or a single part. */
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
