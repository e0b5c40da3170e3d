import { expect, test } from 'vitest';
import { type DraftGroup, toDraft } from '#console/pages/filters/tree/draft-tree.ts';
import { idsOf, toNodeFaults, toNotes } from '#console/pages/filters/tree/node-notes.ts';

const ONLINE = { field: 'status', operator: 'equals', value: 'online' };
const draft = toDraft({
  operator: 'AND',
  conditions: [ONLINE, { operator: 'OR', conditions: [ONLINE, ONLINE] }],
}) as DraftGroup;
const [online, group] = draft.members as [DraftGroup, DraftGroup];
const ids = idsOf(draft);

test('each node has its count, and one that changes nothing of its group is marked', () => {
  const notes = toNotes(
    {
      evaluatedAt: '2026-11-22T12:00:00.000Z',
      deviceCount: 40,
      totalCount: 20,
      nodes: [
        { path: 'conditions', operator: 'AND', count: 20 },
        { path: 'conditions.conditions[0]', operator: 'equals', count: 26, countWithout: 20 },
        {
          path: 'conditions.conditions[1]',
          operator: 'OR',
          count: 24,
          countWithout: 26,
          device: { matches: true },
        },
        { path: 'conditions.conditions[1].conditions[0]', operator: 'equals', count: 24 },
        { path: 'conditions.conditions[1].conditions[7]', operator: 'equals', count: 24 },
      ],
    },
    ids,
  );
  expect(notes.get(draft.id)).toStrictEqual({
    count: 20,
    total: 40,
    margin: null,
    effect: null,
    device: null,
  });
  expect(notes.get(online.id)).toMatchObject({ count: 26, effect: { kind: 'idle' } });
  expect(notes.get(group.id)).toMatchObject({ effect: null, device: { matches: true } });
  expect(notes.size).toBe(4);
});

test('in a group that matches nothing, a part is marked with the count without it', () => {
  const notesOf = (first: [count: number, without: number], second: [count: number, without: number]) => {
    const nodes = [
      { path: 'conditions', operator: 'AND', count: 0 },
      { path: 'conditions.conditions[0]', operator: 'equals', count: first[0], countWithout: first[1] },
      { path: 'conditions.conditions[1]', operator: 'OR', count: second[0], countWithout: second[1] },
    ] as const;
    const notes = toNotes(
      { evaluatedAt: '2026-11-22T12:00:00.000Z', deviceCount: 40, totalCount: 0, nodes },
      ids,
    );
    return [notes.get(online.id)?.effect, notes.get(group.id)?.effect];
  };
  // Each of the two rules out the devices of the other.
  expect(notesOf([26, 12], [12, 26])).toStrictEqual([
    { kind: 'empties', without: 12, isEstimate: false },
    { kind: 'empties', without: 26, isEstimate: false },
  ]);
  // A part changes nothing if the others rule out the same devices.
  expect(notesOf([0, 0], [12, 0])).toStrictEqual([{ kind: 'idle' }, { kind: 'idle' }]);
  expect(notesOf([0, 40], [40, 0])).toStrictEqual([
    { kind: 'empties', without: 40, isEstimate: false },
    { kind: 'idle' },
  ]);
});

test('counts of a sample, except the total, have a margin, and never mark a part as changing nothing', () => {
  const notes = toNotes(
    {
      evaluatedAt: '2026-11-22T12:00:00.000Z',
      deviceCount: 1_000_000,
      totalCount: 123,
      sample: { devices: 10_000, of: 1_000_000 },
      nodes: [
        { path: 'conditions', operator: 'AND', count: 123 },
        { path: 'conditions.conditions[0]', operator: 'equals', count: 500_000, countWithout: 123 },
        { path: 'conditions.conditions[1]', operator: 'OR', count: 0, countWithout: 500_000 },
      ],
    },
    ids,
  );
  expect(notes.get(draft.id)?.margin).toBeNull();
  expect(notes.get(online.id)).toMatchObject({ margin: 9_800, effect: null });
  expect(notes.get(group.id)).toMatchObject({ margin: 300 });
});

test('in a sample, only the outermost group counts as empty, and the count without a part is an estimate', () => {
  const inner = [
    { path: 'conditions', operator: 'OR', count: 0 },
    { path: 'conditions.conditions[0]', operator: 'equals', count: 300, countWithout: 700 },
    { path: 'conditions.conditions[1]', operator: 'AND', count: 0, countWithout: 300 },
    { path: 'conditions.conditions[1].conditions[0]', operator: 'equals', count: 0, countWithout: 900 },
  ] as const;
  const notes = toNotes(
    {
      evaluatedAt: '2026-11-22T12:00:00.000Z',
      deviceCount: 1_000_000,
      totalCount: 0,
      sample: { devices: 10_000, of: 1_000_000 },
      nodes: inner,
    },
    ids,
  );
  expect(notes.get(online.id)?.effect).toStrictEqual({ kind: 'empties', without: 700, isEstimate: true });
  expect(notes.get(group.members[0]?.id ?? 0)?.effect).toBeNull();
});

test('faults are assigned to the node that shows them', () => {
  const faults = toNodeFaults(
    [
      { path: 'conditions.conditions[1].conditions[1].value[3]', message: 'one' },
      { path: 'conditions.conditions[0].conditions[2].conditions[0].field', message: 'within' },
      { path: 'name', message: 'elsewhere' },
    ],
    ids,
  );
  expect([...faults]).toStrictEqual([
    [group.members[1]?.id, ['one']],
    [online.id, ['within']],
  ]);
});
