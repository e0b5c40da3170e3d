/**
 * The one traversal of a filter: from the leaves up, with its own stack, so that a deep filter takes memory but
 * never overflows the call stack (Spec: Limits, nesting depth unbounded).
 */
import type { Criterion, Group, Node } from './condition.ts';

/** What becomes of each node, from the leaves up. */
export interface FoldHandlers<L extends Criterion, T> {
  /** The value of a leaf; leaves are visited in the order in which they are written. */
  condition(condition: L): T;
  /** The value of a group from the values of its members, in order. The handler may keep the array. */
  group(group: Group<L>, members: T[]): T;
}

/** The value of the whole tree. */
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
