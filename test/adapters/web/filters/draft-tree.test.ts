import { expect, test } from 'vitest';
import {
  addMember,
  changeNode,
  countJsonNodes,
  type DraftGroup,
  emptyCondition,
  emptyGroup,
  levelsOf,
  MAX_LEVELS,
  SHOWN_LEVELS,
  toDraft,
  toEvaluable,
  toJson,
} from '#console/pages/filters/tree/draft-tree.ts';
import { isUnfinished } from '#console/parts/condition/condition-value.ts';

const ONLINE = { field: 'status', operator: 'equals', value: 'online' };
const VIP = { field: 'tags', operator: 'hasAny', value: ['vip'] };

function draftOf(json: unknown): DraftGroup {
  const draft = toDraft(json);
  if (draft === null) throw new Error('no tree');
  return draft;
}

/** Nested groups, each with a condition beside the next group. */
function nested(levels: number): object {
  let json: object = { operator: 'AND', conditions: [ONLINE] };
  for (let level = 1; level < levels; level++) json = { operator: 'OR', conditions: [VIP, json] };
  return json;
}

test.each([1, SHOWN_LEVELS, SHOWN_LEVELS + 1, 300])('a tree of %i levels comes back as it was', (levels) => {
  expect(toJson(draftOf(nested(levels)))).toStrictEqual(nested(levels));
});

test('a group deeper than the levels shown becomes one folded node', () => {
  let group = draftOf(nested(SHOWN_LEVELS + 1));
  for (let level = 1; level < SHOWN_LEVELS; level++) group = group.members[1] as DraftGroup;
  expect(group.members.map(({ kind }) => kind)).toStrictEqual(['condition', 'folded']);
});

test('a tree deeper than a browser can write is refused, without exhausting the stack', () => {
  expect(toDraft(nested(MAX_LEVELS))).not.toBeNull();
  expect(levelsOf(nested(30_000))).toBe(30_000);
  expect(toDraft(nested(30_000))).toBeNull();
});

test.each([
  ['nothing', undefined],
  ['a condition', ONLINE],
  ['a group of another operator', { operator: 'XOR', conditions: [] }],
  ['a group with another member', { operator: 'AND', conditions: [], note: '' }],
  ['a condition without an operator', { operator: 'AND', conditions: [{ field: 'status' }] }],
  ['conditions that are no list', { operator: 'AND', conditions: {} }],
])('%s does not have the shape of a tree', (_, json) => {
  expect(toDraft(json)).toBeNull();
});

test('the tree to evaluate leaves out unfinished nodes, and maps its paths to the others', () => {
  const draft = draftOf({ operator: 'OR', conditions: [ONLINE, { operator: 'AND', conditions: [VIP] }] });
  const [online, group] = draft.members as [DraftGroup, DraftGroup];
  const unfinished = { ...draft, members: [emptyCondition(), emptyGroup('AND'), online, group] };
  const evaluable = toEvaluable(unfinished, isUnfinished);
  expect(evaluable?.json).toStrictEqual(toJson(draft));
  expect(evaluable?.idsByPath.get('conditions.conditions[1].conditions[0]')).toBe(group.members[0]?.id);
  expect(toEvaluable(emptyGroup('AND'), isUnfinished)).toBeNull();
});

test('a change reaches its node and leaves all others unchanged', () => {
  const draft = draftOf({
    operator: 'AND',
    conditions: [ONLINE, { operator: 'OR', conditions: [VIP, ONLINE] }],
  });
  const [online, group] = draft.members as [DraftGroup, DraftGroup];
  const without = changeNode(draft, group.members[0]?.id ?? 0, () => null);
  expect(toJson(without)).toStrictEqual({
    operator: 'AND',
    conditions: [ONLINE, { operator: 'OR', conditions: [ONLINE] }],
  });
  expect(without.members[0]).toBe(online);
  const more = addMember(draft, group.id, emptyGroup('AND'));
  expect((more.members[1] as DraftGroup).members).toHaveLength(3);
});

test('a new condition replaces one that is still empty', () => {
  const [first, second] = [emptyCondition(), emptyCondition()];
  const draft = { ...emptyGroup('AND'), members: [first] };
  expect(addMember(draft, draft.id, second).members).toStrictEqual([second]);
  expect(addMember(draft, draft.id, emptyGroup('OR')).members).toHaveLength(2);
  const begun = { ...draft, members: [{ ...first, field: 'hostname' }] };
  expect(addMember(begun, begun.id, second).members).toHaveLength(2);
});

test('conditions and groups are counted, those of folded groups included', () => {
  const leaf = { field: 'hostname', operator: 'isNotNull' };
  let json: unknown = { operator: 'AND', conditions: [leaf] };
  for (let level = 1; level < 300; level++) json = { operator: 'OR', conditions: [leaf, json] };
  expect(countJsonNodes(json)).toBe(600);
});
