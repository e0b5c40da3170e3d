/** Counts the devices that each node matches, without short cuts or merging (Contract: §12). */
import type { ListedNode } from '#domain/filter/conditions/fold-conditions.ts';

/** For explanations (Contract: §12). */
export interface NodeCount {
  readonly count: number;
  /** In an AND of at least two members: the number of devices that match all other members. Null elsewhere. */
  readonly countWithout: number | null;
}

/** Whether the condition at this index holds for the current device. */
export type ConditionHolds = (index: number) => boolean;

/** For each node, whether the device matches. */
export function markNodes(nodes: readonly ListedNode[], holds: ConditionHolds): readonly boolean[] {
  const tally = new NodeTally(nodes);
  tally.add(holds);
  return tally.counts.map(({ count }) => count === 1);
}

/** Nodes are in the order of `listNodes`. */
export class NodeTally {
  readonly #nodes: readonly PlacedNode[];
  readonly #matching: Float64Array;
  readonly #without: Float64Array;
  /** For each group, how many members do not match the current device. */
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

  get deviceCount(): number {
    return this.#deviceCount;
  }

  get counts(): readonly NodeCount[] {
    return this.#nodes.map(({ hasCountWithout }, i) => ({
      count: this.#matching[i] ?? 0,
      countWithout: hasCountWithout ? (this.#without[i] ?? 0) : null,
    }));
  }

  add(holds: ConditionHolds): void {
    const failing = this.#failing.fill(0);
    const marks = this.#marks;
    const nodes = this.#nodes;
    // Members follow their group, so the loop runs backward.
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

/** Whether `parent` is an AND of at least two members, so that a count without one of them makes sense. */
export function isOneOfSeveralDemands(parent: ListedNode | undefined): boolean {
  const group = parent?.node;
  return group?.kind === 'group' && group.operator === 'AND' && group.conditions.length > 1;
}
