/** Moves, copies and wraps nodes. Null means that the step is impossible. */
import {
  changeNode,
  type DraftGroup,
  type DraftNode,
  emptyCondition,
  newId,
  SHOWN_LEVELS,
} from './draft-tree.ts';

export interface Place {
  readonly groupId: number;
  /** The place among the group's members before the move. */
  readonly index: number;
}

/** `groups` go from the root to `group`. */
export interface Located {
  readonly node: DraftNode;
  readonly index: number;
  readonly group: DraftGroup;
  readonly groups: readonly DraftGroup[];
}

export const WAYS = ['up', 'down', 'in', 'out'] as const;
export type Way = (typeof WAYS)[number];

/** Null for the root and unknown ids. */
export function locate(group: DraftGroup, id: number, above: readonly DraftGroup[] = []): Located | null {
  const groups = [...above, group];
  for (const [index, node] of group.members.entries()) {
    if (node.id === id) return { node, index, group, groups };
    const found = node.kind === 'group' ? locate(node, id, groups) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Also removes groups that become empty. The root gets an empty condition instead. */
export function removeNode(root: DraftGroup, id: number): DraftGroup {
  const { members } = without(root, id);
  return { ...root, members: members.length === 0 ? [emptyCondition()] : members };
}

function without(group: DraftGroup, id: number): DraftGroup {
  const members = group.members.flatMap((node): readonly DraftNode[] => {
    if (node.id === id) return [];
    if (node.kind !== 'group') return [node];
    const left = without(node, id);
    return left.members.length === 0 && node.members.length > 0 ? [] : [left];
  });
  const isSame = members.length === group.members.length && members.every((m, i) => m === group.members[i]);
  return isSame ? group : { ...group, members };
}

/** Null if the node would be too deep, inside itself, or where it already is. */
export function moveTo(root: DraftGroup, id: number, { groupId, index }: Place): DraftGroup | null {
  const from = locate(root, id);
  const into = groupsTo(root, groupId);
  if (from === null || into === null || into.some((group) => group.id === id)) return null;
  if (into.length + heightOf(from.node) > SHOWN_LEVELS) return null;
  const isSameGroup = from.group.id === groupId;
  if (isSameGroup && (index === from.index || index === from.index + 1)) return null;
  const placed = changeNode(root, groupId, (group) =>
    group.kind === 'group' ? { ...group, members: group.members.toSpliced(index, 0, MARK) } : group,
  );
  // `MARK` holds the target position while the node is removed, so the target group never becomes empty.
  return changeNode(removeNode(placed, id), MARK.id, () => from.node);
}

const MARK: DraftNode = { kind: 'condition', id: 0, field: '', operator: '', value: undefined };

function groupsTo(root: DraftGroup, id: number): readonly DraftGroup[] | null {
  if (root.id === id) return [root];
  const found = locate(root, id);
  return found?.node.kind === 'group' ? [...found.groups, found.node] : null;
}

function heightOf(node: DraftNode): number {
  if (node.kind === 'condition') return 0;
  // A folded group takes one level, because its members are not shown.
  if (node.kind === 'folded') return 1;
  return 1 + Math.max(0, ...node.members.map(heightOf));
}

/** Finds the next place: past a neighbor, into a neighboring group, or out of the node's group. */
export function placeTowards(root: DraftGroup, id: number, way: Way): Place | null {
  const from = locate(root, id);
  if (from === null) return null;
  const { index, group } = from;
  const around = from.groups.at(-2);
  const out = around === undefined ? null : { groupId: around.id, at: around.members.indexOf(group) };
  switch (way) {
    case 'up':
      if (index > 0) return { groupId: group.id, index: index - 1 };
      return out === null ? null : { groupId: out.groupId, index: out.at };
    case 'down':
      if (index < group.members.length - 1) return { groupId: group.id, index: index + 2 };
      return out === null ? null : { groupId: out.groupId, index: out.at + 1 };
    case 'out':
      return out === null ? null : { groupId: out.groupId, index: out.at + 1 };
    case 'in': {
      const [before, after] = [group.members[index - 1], group.members[index + 1]];
      if (after?.kind === 'group') return { groupId: after.id, index: 0 };
      return before?.kind === 'group' ? { groupId: before.id, index: before.members.length } : null;
    }
  }
}

/** `id` is the node that gets the focus. */
export interface Rearranged {
  readonly tree: DraftGroup;
  readonly id: number;
}

export function duplicate(root: DraftGroup, id: number): Rearranged | null {
  const from = locate(root, id);
  if (from === null) return null;
  const { group, index } = from;
  const copy = copyOf(from.node);
  return { tree: withMembers(root, group, group.members.toSpliced(index + 1, 0, copy)), id: copy.id };
}

/** Null if the copy would be too deep. */
export function copyTo(root: DraftGroup, id: number, { groupId, index }: Place): Rearranged | null {
  const [from, into] = [locate(root, id), groupsTo(root, groupId)];
  const group = into?.at(-1);
  if (from === null || into === null || group === undefined) return null;
  if (into.length + heightOf(from.node) > SHOWN_LEVELS) return null;
  const copy = copyOf(from.node);
  return { tree: withMembers(root, group, group.members.toSpliced(index, 0, copy)), id: copy.id };
}

function copyOf(node: DraftNode): DraftNode {
  const copy = { ...node, id: newId() };
  return copy.kind === 'group' ? { ...copy, members: copy.members.map(copyOf) } : copy;
}

/** The new group has the other operator, because the same one would change nothing. */
export function wrap(root: DraftGroup, id: number): DraftGroup | null {
  const from = locate(root, id);
  if (from === null) return null;
  if (from.groups.length + 1 + heightOf(from.node) > SHOWN_LEVELS) return null;
  const operator = from.group.operator === 'AND' ? 'OR' : 'AND';
  return changeNode(root, id, (node) => ({ kind: 'group', id: newId(), operator, members: [node] }));
}

export function unwrap(root: DraftGroup, id: number): DraftGroup | null {
  const from = locate(root, id);
  if (from?.node.kind !== 'group') return null;
  const { group, index, node } = from;
  return withMembers(root, group, group.members.toSpliced(index, 1, ...node.members));
}

function withMembers(root: DraftGroup, { id }: DraftGroup, members: readonly DraftNode[]): DraftGroup {
  return changeNode(root, id, (group) => (group.kind === 'group' ? { ...group, members } : group));
}
