import type { ConditionGroup, ConditionNode, Criterion, Node } from './condition.ts';
import { faultPath } from './filter-fault.ts';
import { foldConditions } from './fold-conditions.ts';

/** A node with its path and its group. */
export interface ListedNode {
  readonly node: ConditionNode;
  /** As in validation errors, such as `conditions.conditions[0]`. */
  readonly path: string;
  /** The index of the enclosing group; null for the root. */
  readonly parent: number | null;
}

/** All nodes in document order, groups before their members. Takes time proportional to nodes times depth. */
export function listNodes(root: ConditionGroup): readonly ListedNode[] {
  const nodes: ListedNode[] = [{ node: root, path: faultPath([], ''), parent: null }];
  const open = [{ group: root, index: 0, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const node = top.group.conditions[top.next];
    top.next++;
    if (node === undefined) {
      open.pop();
      continue;
    }
    const path = faultPath(
      open.map(({ next }) => next - 1),
      '',
    );
    const index = nodes.push({ node, path, parent: top.index }) - 1;
    if (node.kind === 'group') open.push({ group: node, index, next: 0 });
  }
  return nodes;
}

/** Conditions and groups, the root included. */
export function countNodes(root: Node<Criterion>): number {
  return foldConditions<Criterion, number>(root, {
    condition: () => 1,
    group: (_, members) => members.reduce((sum, member) => sum + member, 1),
  });
}
