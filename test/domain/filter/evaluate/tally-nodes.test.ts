/** Counting at every node of a filter, device by device. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { markNodes, NodeTally } from '#domain/filter/evaluate/tally-nodes.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';

/** A condition that holds of the devices whose number has this bit. */
const bit = (number: number): RawCondition => ({ field: 'uptimeSeconds', operator: 'equals', value: number });
const DEVICES = Array.from({ length: 32 }, (_, i) => i);

/** Whether the node matches, by plain recursion. */
function matches(node: RawCondition | RawGroup, device: number): boolean {
  if ('field' in node) return ((device >> Number(node.value)) & 1) === 1;
  const members = node.conditions.map((member) => matches(member, device));
  return node.operator === 'AND' ? members.every(Boolean) : members.some(Boolean);
}

const groups = fc.letrec<{ group: RawGroup; node: RawGroup | RawCondition }>((tie) => ({
  node: fc.oneof({ maxDepth: 4 }, fc.integer({ min: 0, max: 4 }).map(bit), tie('group')),
  group: fc
    .tuple(fc.constantFrom(and, or), fc.array(tie('node'), { minLength: 1, maxLength: 4 }))
    .map(([make, members]) => make(...members)),
})).group;

/** The nodes as sent in document order, each with its siblings in an AND of two or more. */
function inOrder(
  node: RawGroup | RawCondition,
  siblings: RawGroup | null,
): readonly [typeof node, RawGroup | null][] {
  if ('field' in node) return [[node, siblings]];
  const others = (i: number) =>
    node.operator === 'AND' && node.conditions.length > 1 ? and(...node.conditions.toSpliced(i, 1)) : null;
  return [[node, siblings], ...node.conditions.flatMap((member, i) => inOrder(member, others(i)))];
}

test('the tally counts for each node its own matches and those of its siblings', () => {
  fc.assert(
    fc.property(groups, (group) => {
      const listed = listNodes(parseFilter(group));
      const raw = inOrder(group, null);
      const holdsFor = (device: number) => (index: number) => matches(raw[index]?.[0] ?? group, device);
      const tally = new NodeTally(listed);
      for (const device of DEVICES) tally.add(holdsFor(device));
      const count = (node: RawGroup | RawCondition) =>
        DEVICES.filter((device) => matches(node, device)).length;
      expect(tally.deviceCount).toBe(DEVICES.length);
      expect(tally.counts).toStrictEqual(
        raw.map(([node, siblings]) => ({
          count: count(node),
          countWithout: siblings === null ? null : count(siblings),
        })),
      );
      for (const device of [0, 13, 31]) {
        expect(markNodes(listed, holdsFor(device))).toStrictEqual(raw.map(([node]) => matches(node, device)));
      }
    }),
  );
});

test('an empty AND is true, and an empty OR is false', () => {
  const empty = (operator: 'AND' | 'OR') => listNodes({ kind: 'group', operator, conditions: [] });
  expect([markNodes(empty('AND'), () => false), markNodes(empty('OR'), () => true)]).toStrictEqual([
    [true],
    [false],
  ]);
});
