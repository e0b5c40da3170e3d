import type { ExplainedNode } from '#adapters/http/api-types.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { flattenTree } from './flatten-tree.ts';
import { isGroup } from './is-group.ts';

/** A condition or a group, and how many devices it matches alone. */
export interface MatchedAlone {
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
