/** The traversals of filters. They use an explicit stack, so depth never overflows the call stack (Spec: Limits). */
import type { ConditionGroup, ConditionNode, Criterion, Group, Node } from './condition.ts';
import { faultPath } from './filter-fault.ts';

/** Called for members before their group. */
export interface FoldHandlers<L extends Criterion, T> {
  condition(condition: L): T;
  /** The handler may keep the array. */
  group(group: Group<L>, members: T[]): T;
}

/** Computes a value bottom-up. */
export function foldConditions<L extends Criterion, T>(root: Node<L>, handlers: FoldHandlers<L, T>): T {
  if (root.kind === 'condition') return handlers.condition(root);
  const stack: { readonly group: Group<L>; readonly members: T[] }[] = [{ group: root, members: [] }];
  for (;;) {
    const top = stack.at(-1);
    if (top === undefined) throw new Error('the fold lost its root');
    const next = top.group.conditions[top.members.length];
    if (next === undefined) {
      stack.pop();
      const value = handlers.group(top.group, top.members);
      const parent = stack.at(-1);
      if (parent === undefined) return value;
      parent.members.push(value);
    } else if (next.kind === 'group') {
      stack.push({ group: next, members: [] });
    } else {
      top.members.push(handlers.condition(next));
    }
  }
}

export interface ListedNode {
  readonly node: ConditionNode;
  readonly path: string;
  /** The index of the node's group; null for the root. */
  readonly parent: number | null;
}

/** In document order, groups before their members. Takes time proportional to nodes times depth. */
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

/** Counts the root, too. */
export function countNodes(root: Node<Criterion>): number {
  return foldConditions<Criterion, number>(root, {
    condition: () => 1,
    group: (_, members) => members.reduce((sum, member) => sum + member, 1),
  });
}

/** In order of first use. */
export function fieldsUsed(root: Node<Criterion>): readonly string[] {
  const keys = new Set<string>();
  foldConditions<Criterion, void>(root, {
    condition: (condition) => void keys.add(condition.field.key),
    group: () => undefined,
  });
  return [...keys];
}
