/**
 * Counts, for every node of a filter at once, the devices that it matches (Contract: §12). Groups mean what they mean
 * to the evaluator, but nothing is skipped and nothing merged: each node is decided for each device.
 */
import type { ListedNode } from '#domain/filter/conditions/list-nodes.ts';

/** What one node of a filter contributes. */
export interface NodeCount {
  /** Devices that the node alone matches. */
  readonly count: number;
  /**
   * On a member of an AND of two or more: devices that match all its siblings in that group, whatever stands around.
   * Null on any other node.
   */
  readonly countWithout: number | null;
}

/** Whether the condition at this index of the list holds for the device at hand. */
export type ConditionHolds = (index: number) => boolean;

/** Whether a device matches at each node, by whether each condition holds for it. */
export function markNodes(nodes: readonly ListedNode[], holds: ConditionHolds): readonly boolean[] {
  const tally = new NodeTally(nodes);
  tally.add(holds);
  return tally.counts.map(({ count }) => count === 1);
}

/** Counts devices one after the other, for all nodes as `listNodes` lists them. */
export class NodeTally {
  readonly #nodes: readonly PlacedNode[];
  readonly #matching: Float64Array;
  readonly #without: Float64Array;
  /** Of the device at hand: how many members of each group do not match. */
  readonly #failing: Uint32Array;
  readonly #marks: Uint8Array;
  #deviceCount = 0;

  constructor(nodes: readonly ListedNode[]) {
    this.#nodes = nodes.map((listed) => placeOf(listed, nodes));
    this.#matching = new Float64Array(nodes.length);
    this.#without = new Float64Array(nodes.length);
    this.#failing = new Uint32Array(nodes.length);
    this.#marks = new Uint8Array(nodes.length);
  }

  /** How many devices were added. */
  get deviceCount(): number {
    return this.#deviceCount;
  }

  /** By index of the node. */
  get counts(): readonly NodeCount[] {
    return this.#nodes.map(({ hasCountWithout }, i) => ({
      count: this.#matching[i] ?? 0,
      countWithout: hasCountWithout ? (this.#without[i] ?? 0) : null,
    }));
  }

  /** Adds a device. */
  add(holds: ConditionHolds): void {
    const failing = this.#failing.fill(0);
    const marks = this.#marks;
    const nodes = this.#nodes;
    // Members stand behind their group, so from the end on they are all decided before it is.
    for (let i = nodes.length - 1; i >= 0; i--) {
      const { kind, parent, size } = nodes[i] as PlacedNode;
      const matches =
        kind === 'condition' ? holds(i) : kind === 'AND' ? failing[i] === 0 : (failing[i] as number) < size;
      marks[i] = matches ? 1 : 0;
      if (matches) (this.#matching[i] as number)++;
      else if (parent !== null) (failing[parent] as number)++;
    }
    for (let i = 0; i < nodes.length; i++) {
      const { parent, hasCountWithout } = nodes[i] as PlacedNode;
      if (!hasCountWithout || parent === null) continue;
      const ownFailure = marks[i] === 1 ? 0 : 1;
      if (failing[parent] === ownFailure) (this.#without[i] as number)++;
    }
    this.#deviceCount++;
  }
}

interface PlacedNode {
  readonly kind: 'condition' | 'AND' | 'OR';
  readonly parent: number | null;
  /** The number of its members. */
  readonly size: number;
  readonly hasCountWithout: boolean;
}

function placeOf({ node, parent }: ListedNode, nodes: readonly ListedNode[]): PlacedNode {
  return {
    kind: node.kind === 'group' ? node.operator : 'condition',
    parent,
    size: node.kind === 'group' ? node.conditions.length : 0,
    hasCountWithout: isOneOfSeveralDemands(parent === null ? undefined : nodes[parent]),
  };
}

/** Whether a node's parent is an AND of two or more, so that the node has a `countWithout`. */
export function isOneOfSeveralDemands(parent: ListedNode | undefined): boolean {
  const group = parent?.node;
  return group?.kind === 'group' && group.operator === 'AND' && group.conditions.length > 1;
}
