import type { ExplainedNode, Explanation } from '#adapters/http/api-types.ts';
import { effectInGroup, type GroupEffect, marginOf } from '#console/pages/explain/flatten-tree.ts';
import type { PathFault } from '#console/parts/condition/read-conditions.ts';
import { faultPath } from '#domain/filter/conditions/filter-fault.ts';
import type { DraftGroup, DraftNode } from './draft-tree.ts';

export interface NodeNote {
  /** How many devices match the node by itself. */
  readonly count: number;
  readonly total: number;
  /** The margin of error in devices; null for an exact count. */
  readonly margin: number | null;
  readonly effect: GroupEffect | null;
  readonly device: NonNullable<ExplainedNode['device']> | null;
}

export type NodeNotes = ReadonlyMap<number, NodeNote>;

export function toNotes(explanation: Explanation, idsByPath: ReadonlyMap<string, number>): NodeNotes {
  const { deviceCount, nodes, sample } = explanation;
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  const notes = new Map<number, NodeNote>();
  for (const node of nodes) {
    const { path, count, device } = node;
    const id = idsByPath.get(path);
    if (id === undefined) continue;
    const effect = effectInGroup(node, byPath.get(parentOf(path)), sample !== undefined);
    const margin = marginOf(node, explanation);
    notes.set(id, { count, total: deviceCount, margin, effect, device: device ?? null });
  }
  return notes;
}

export type NodeFaults = ReadonlyMap<number, readonly string[]>;

/** Faults inside a folded group are shown at the group. */
export function toNodeFaults(
  faults: readonly PathFault[],
  idsByPath: ReadonlyMap<string, number>,
): NodeFaults {
  const byNode = new Map<number, string[]>();
  for (const { path, message } of faults) {
    const id = nearestId(/^conditions(?:\.conditions\[\d+\])*/.exec(path)?.[0] ?? '', idsByPath);
    if (id === undefined) continue;
    byNode.set(id, [...(byNode.get(id) ?? []), message]);
  }
  return byNode;
}

export function idsOf(root: DraftGroup): ReadonlyMap<string, number> {
  const ids = new Map<string, number>();
  const visit = (node: DraftNode, indices: readonly number[]) => {
    ids.set(faultPath(indices, ''), node.id);
    if (node.kind !== 'group') return;
    for (const [i, member] of node.members.entries()) visit(member, [...indices, i]);
  };
  visit(root, []);
  return ids;
}

function nearestId(path: string, idsByPath: ReadonlyMap<string, number>): number | undefined {
  for (let at = path; at !== ''; at = parentOf(at)) {
    const id = idsByPath.get(at);
    if (id !== undefined) return id;
  }
  return undefined;
}

function parentOf(path: string): string {
  return path === 'conditions' ? '' : path.replace(/\.conditions\[\d+\]$/, '');
}
