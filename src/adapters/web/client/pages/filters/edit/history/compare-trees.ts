import { isGroup } from '#console/pages/explain/flatten-tree.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';

export interface ComparedNode {
  readonly node: NodeJson;
  readonly level: number;
  readonly change: 'same' | 'added' | 'removed';
}

/**
 * Returns nodes in document order. The members of a group have no order, so equal ones match anywhere. A changed
 * group is compared with the next unmatched group of the same operator.
 */
export function compareTrees(before: ConditionJson, after: ConditionJson): readonly ComparedNode[] {
  if (before.operator !== after.operator) return [...all(before, 0, 'removed'), ...all(after, 0, 'added')];
  return compareGroups(before, after, 0);
}

function compareGroups(before: ConditionJson, after: ConditionJson, level: number): ComparedNode[] {
  const left = Map.groupBy(before.conditions, (node) => JSON.stringify(node));
  const members = after.conditions.map((node) => ({
    node,
    isSame: left.get(JSON.stringify(node))?.pop() !== undefined,
  }));
  const gone = [...left.values()].flat();
  const compared: ComparedNode[] = [{ node: after, level, change: 'same' }];
  for (const { node, isSame } of members) {
    const former = isSame || !isGroup(node) ? -1 : gone.findIndex((one) => isLike(one, node));
    const [group] = former === -1 ? [] : gone.splice(former, 1);
    if (group !== undefined && isGroup(group) && isGroup(node)) {
      compared.push(...compareGroups(group, node, level + 1));
    } else {
      compared.push(...all(node, level + 1, isSame ? 'same' : 'added'));
    }
  }
  return [...compared, ...gone.flatMap((node) => all(node, level + 1, 'removed'))];
}

const isLike = (one: NodeJson, group: ConditionJson) => isGroup(one) && one.operator === group.operator;

function all(node: NodeJson, level: number, change: ComparedNode['change']): ComparedNode[] {
  const own = { node, level, change };
  return isGroup(node)
    ? [own, ...node.conditions.flatMap((member) => all(member, level + 1, change))]
    : [own];
}
