/**
 * The one traversal of filters: bottom-up with an explicit stack, so depth never overflows the call stack (Spec:
 * Limits, nesting depth unbounded).
 */
import type { Criterion, Group, Node } from './condition.ts';

/** Gives each node a value, leaves first. */
export interface FoldHandlers<L extends Criterion, T> {
  /** Leaves come in the order in which they are written. */
  condition(condition: L): T;
  /** `members` holds the members' values in order; the handler may keep it. */
  group(group: Group<L>, members: T[]): T;
}

/** Computes a value bottom-up; safe at any depth. */
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
