/**
 * A filter that is being edited. Its conditions may be unfinished or wrong. Groups below the eighth level stay JSON.
 */
import type { WrittenCondition } from '#console/parts/condition/condition-value.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import { faultPath } from '#domain/filter/conditions/filter-fault.ts';

export interface DraftCondition extends WrittenCondition {
  readonly kind: 'condition';
  readonly id: number;
}

export interface DraftGroup {
  readonly kind: 'group';
  readonly id: number;
  readonly operator: GroupOperator;
  readonly members: readonly DraftNode[];
}

export interface FoldedGroup {
  readonly kind: 'folded';
  readonly id: number;
  readonly json: unknown;
}

export type DraftNode = DraftCondition | DraftGroup | FoldedGroup;

/** The root is a level too. */
export const SHOWN_LEVELS = 8;

/** `JSON.stringify` recurses and fails at some thousands of levels. */
export const MAX_LEVELS = 1_000;

let lastId = 0;

export function newId(): number {
  lastId += 1;
  return lastId;
}

export function emptyCondition(): DraftCondition {
  return { kind: 'condition', id: newId(), field: '', operator: '', value: undefined };
}

export function emptyGroup(operator: GroupOperator): DraftGroup {
  return { kind: 'group', id: newId(), operator, members: [emptyCondition()] };
}

/** The root is a level too. */
export function levelsOf(json: unknown): number {
  let levels = 0;
  for (let level: readonly unknown[] = [json]; level.length > 0; levels++) {
    level = level.flatMap((node) =>
      isObject(node) && Array.isArray(node.conditions)
        ? node.conditions.filter((member) => isObject(member) && 'conditions' in member)
        : [],
    );
  }
  return levels;
}

export function countJsonNodes(json: unknown): number {
  let count = 0;
  const left = [json];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    count += 1;
    if (isObject(node) && Array.isArray(node.conditions)) left.push(...node.conditions);
  }
  return count;
}

/** Null if the JSON is not a tree or too deep. Wrong fields and values are kept. */
export function toDraft(json: unknown): DraftGroup | null {
  if (levelsOf(json) > MAX_LEVELS) return null;
  const node = readGroup(json, 1);
  return node?.kind === 'group' ? node : null;
}

function readGroup(json: unknown, level: number): DraftGroup | FoldedGroup | null {
  if (!isObject(json) || !hasOnly(json, ['operator', 'conditions'])) return null;
  const { operator, conditions } = json;
  if ((operator !== 'AND' && operator !== 'OR') || !Array.isArray(conditions)) return null;
  if (level > SHOWN_LEVELS) return { kind: 'folded', id: newId(), json };
  const members: DraftNode[] = [];
  for (const member of conditions) {
    const node =
      isObject(member) && 'conditions' in member ? readGroup(member, level + 1) : readCondition(member);
    if (node === null) return null;
    members.push(node);
  }
  return {
    kind: 'group',
    id: newId(),
    operator,
    members: members.length === 0 ? [emptyCondition()] : members,
  };
}

function readCondition(json: unknown): DraftCondition | null {
  if (!isObject(json) || !hasOnly(json, ['field', 'operator', 'value'])) return null;
  const { field, operator, value } = json;
  if (typeof field !== 'string' || typeof operator !== 'string') return null;
  return { kind: 'condition', id: newId(), field, operator, value };
}

export function toJson(node: DraftNode): unknown {
  switch (node.kind) {
    case 'condition':
      return {
        field: node.field,
        operator: node.operator,
        ...(node.value !== undefined && { value: node.value }),
      };
    case 'group':
      return { operator: node.operator, conditions: node.members.map(toJson) };
    case 'folded':
      return node.json;
  }
}

/** `idsByPath`: node ids by their paths in validation errors. */
export interface Evaluable {
  readonly json: unknown;
  readonly idsByPath: ReadonlyMap<string, number>;
}

/** Leaves out unfinished parts. Null if nothing is left. */
export function toEvaluable(
  root: DraftGroup,
  isUnfinished: (node: DraftCondition) => boolean,
): Evaluable | null {
  const idsByPath = new Map<string, number>();
  const json = prune(root, [], isUnfinished, idsByPath);
  return json === undefined ? null : { json, idsByPath };
}

function prune(
  node: DraftNode,
  indices: readonly number[],
  isUnfinished: (node: DraftCondition) => boolean,
  idsByPath: Map<string, number>,
): unknown {
  if (node.kind === 'condition' && isUnfinished(node)) return undefined;
  idsByPath.set(faultPath(indices, ''), node.id);
  if (node.kind !== 'group') return toJson(node);
  const conditions: unknown[] = [];
  for (const member of node.members) {
    const json = prune(member, [...indices, conditions.length], isUnfinished, idsByPath);
    if (json !== undefined) conditions.push(json);
  }
  return conditions.length === 0 ? undefined : { operator: node.operator, conditions };
}

/** Null from `change` removes the node. */
export function changeNode(
  root: DraftGroup,
  id: number,
  change: (node: DraftNode) => DraftNode | null,
): DraftGroup {
  const changed = applyTo(root, id, change);
  return changed?.kind === 'group' ? changed : root;
}

function applyTo(
  node: DraftNode,
  id: number,
  change: (node: DraftNode) => DraftNode | null,
): DraftNode | null {
  if (node.id === id) return change(node);
  if (node.kind !== 'group') return node;
  const members = node.members.flatMap((member) => applyTo(member, id, change) ?? []);
  const isSame = members.length === node.members.length && members.every((m, i) => m === node.members[i]);
  return isSame ? node : { ...node, members };
}

/** Replaces the last condition if it is still empty, because two empty ones would prevent saving. */
export function addMember(root: DraftGroup, groupId: number, member: DraftNode): DraftGroup {
  return changeNode(root, groupId, (node) =>
    node.kind === 'group' ? { ...node, members: [...membersBefore(member, node), member] } : node,
  );
}

function membersBefore(member: DraftNode, { members }: DraftGroup): readonly DraftNode[] {
  const last = members.at(-1);
  const isTaken = member.kind === 'condition' && last?.kind === 'condition' && last.field === '';
  return isTaken ? members.slice(0, -1) : members;
}

/** Does not look into folded groups. */
export function countUnfinished(node: DraftNode, isUnfinished: (node: DraftCondition) => boolean): number {
  if (node.kind === 'condition') return isUnfinished(node) ? 1 : 0;
  if (node.kind === 'folded') return 0;
  return node.members.reduce((sum, member) => sum + countUnfinished(member, isUnfinished), 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(json: Readonly<Record<string, unknown>>, members: readonly string[]): boolean {
  return Object.keys(json).every((key) => members.includes(key));
}
