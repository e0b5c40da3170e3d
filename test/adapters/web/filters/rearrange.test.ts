import { describe, expect, test } from 'vitest';
import { type DraftGroup, type DraftNode, toDraft, toJson } from '#console/pages/filters/tree/draft-tree.ts';
import {
  copyTo,
  duplicate,
  locate,
  moveTo,
  placeTowards,
  removeNode,
  unwrap,
  type Way,
  wrap,
} from '#console/pages/filters/tree/rearrange.ts';

type Json = string | readonly Json[];

/** A letter is a condition; a list is a group that begins with its operator. */
function draft(json: Json): DraftGroup {
  const read = (one: Json): unknown =>
    typeof one === 'string'
      ? { field: one, operator: 'isNull' }
      : { operator: one[0], conditions: one.slice(1).map((member) => read(member as Json)) };
  const tree = toDraft(read(json));
  if (tree === null) throw new Error('not a tree');
  return tree;
}

function written(tree: DraftGroup | null | undefined): unknown {
  const write = (node: unknown): unknown => {
    const { field, operator, conditions } = node as {
      field?: string;
      operator: string;
      conditions?: unknown[];
    };
    return conditions === undefined ? field : [operator, ...conditions.map(write)];
  };
  return tree == null ? tree : write(toJson(tree));
}

/** The id of the condition on the field, or of the group that begins with it. */
function idOf(tree: DraftGroup, name: string): number {
  const isGroup = name.startsWith('group ');
  const find = (node: DraftNode): number | undefined => {
    if (node.kind !== 'group') return node.kind === 'condition' && node.field === name ? node.id : undefined;
    const [first] = node.members;
    if (isGroup && first?.kind === 'condition' && `group ${first.field}` === name) return node.id;
    return node.members.map(find).find((id) => id !== undefined);
  };
  const id = find(tree);
  if (id === undefined) throw new Error(`no ${name}`);
  return id;
}

const TREE: Json = ['AND', 'a', ['OR', 'b', 'c'], 'd'];

function moved(name: string, way: Way, json: Json = TREE): unknown {
  const tree = draft(json);
  const id = idOf(tree, name);
  const place = placeTowards(tree, id, way);
  return place === null ? null : written(moveTo(tree, id, place));
}

describe('a step with the keys', () => {
  test.each([
    ['a', 'down', ['AND', ['OR', 'b', 'c'], 'a', 'd']],
    ['d', 'up', ['AND', 'a', 'd', ['OR', 'b', 'c']]],
    ['group b', 'up', ['AND', ['OR', 'b', 'c'], 'a', 'd']],
    ['group b', 'down', ['AND', 'a', 'd', ['OR', 'b', 'c']]],
    ['c', 'up', ['AND', 'a', ['OR', 'c', 'b'], 'd']],
    ['b', 'up', ['AND', 'a', 'b', ['OR', 'c'], 'd']],
    ['c', 'down', ['AND', 'a', ['OR', 'b'], 'c', 'd']],
    ['b', 'out', ['AND', 'a', ['OR', 'c'], 'b', 'd']],
    ['a', 'in', ['AND', ['OR', 'a', 'b', 'c'], 'd']],
    ['d', 'in', ['AND', 'a', ['OR', 'b', 'c', 'd']]],
    ['a', 'up', null],
    ['d', 'down', null],
    ['a', 'out', null],
    ['b', 'in', null],
  ] as const)('that moves %s %s gives %j', (name, way, expected) => {
    expect(moved(name, way)).toStrictEqual(expected);
  });

  test('out of a group of one removes the group', () => {
    expect(moved('b', 'out', ['AND', 'a', ['OR', 'b']])).toStrictEqual(['AND', 'a', 'b']);
  });
});

test('a node keeps its id when it moves', () => {
  const tree = draft(TREE);
  const id = idOf(tree, 'a');
  const after = moveTo(tree, id, { groupId: idOf(tree, 'group b'), index: 2 });
  expect(written(after)).toStrictEqual(['AND', ['OR', 'b', 'c', 'a'], 'd']);
  expect(after !== null && locate(after, id)?.index).toBe(2);
});

test('a group does not move into itself, and no node moves to its own place or too deep', () => {
  const tree = draft(TREE);
  const group = idOf(tree, 'group b');
  expect(moveTo(tree, group, { groupId: group, index: 0 })).toBeNull();
  expect(moveTo(tree, group, { groupId: tree.id, index: 1 })).toBeNull();
  expect(moveTo(tree, group, { groupId: tree.id, index: 2 })).toBeNull();
  let deep: Json = ['AND', 'z'];
  for (let level = 2; level <= 8; level++) deep = ['AND', deep];
  const both = draft(
    ['AND', 'a', deep.slice(0, 2) as unknown as Json, ['OR', 'b']].with(2, deep[1] as Json) as Json,
  );
  const inner = idOf(both, 'group z');
  expect(moveTo(both, idOf(both, 'group b'), { groupId: inner, index: 0 })).toBeNull();
  expect(moveTo(both, idOf(both, 'a'), { groupId: inner, index: 0 })).not.toBeNull();
});

test('a copy follows its original, with new ids', () => {
  const tree = draft(TREE);
  const copied = duplicate(tree, idOf(tree, 'group b'));
  expect(written(copied?.tree)).toStrictEqual(['AND', 'a', ['OR', 'b', 'c'], ['OR', 'b', 'c'], 'd']);
  const ids = JSON.stringify(copied?.tree).match(/"id":\d+/g) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});

test('a copy stands at the place where it is dropped, with new ids, and not too deep', () => {
  const tree = draft(TREE);
  const inGroup = copyTo(tree, idOf(tree, 'a'), { groupId: idOf(tree, 'group b'), index: 1 });
  expect(written(inGroup?.tree)).toStrictEqual(['AND', 'a', ['OR', 'b', 'a', 'c'], 'd']);
  const beside = copyTo(tree, idOf(tree, 'group b'), { groupId: tree.id, index: 1 });
  expect(written(beside?.tree)).toStrictEqual(['AND', 'a', ['OR', 'b', 'c'], ['OR', 'b', 'c'], 'd']);
  const ids = JSON.stringify(beside?.tree).match(/"id":\d+/g) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
  let deep: Json = ['OR', 'z'];
  for (let level = 2; level < 8; level++) deep = ['AND', deep];
  const both = draft(['AND', 'a', ['OR', 'b'], deep]);
  const inner = { groupId: idOf(both, 'group z'), index: 0 };
  expect(copyTo(both, idOf(both, 'group b'), inner)).toBeNull();
  expect(copyTo(both, idOf(both, 'a'), inner)).not.toBeNull();
});

test('wrapping puts a node into a group of the other operator, and unwrapping dissolves a group', () => {
  const tree = draft(TREE);
  const wrapped = wrap(tree, idOf(tree, 'b'));
  expect(written(wrapped)).toStrictEqual(['AND', 'a', ['OR', ['AND', 'b'], 'c'], 'd']);
  expect(written(unwrap(tree, idOf(tree, 'group b')))).toStrictEqual(['AND', 'a', 'b', 'c', 'd']);
  expect(unwrap(tree, idOf(tree, 'a'))).toBeNull();
});

test('no group is left empty, and the outermost group keeps one condition to fill in', () => {
  const tree = draft(['AND', ['OR', 'b']]);
  expect(written(removeNode(tree, idOf(tree, 'b')))).toStrictEqual(['AND', '']);
  expect(written(draft(['AND']))).toStrictEqual(['AND', '']);
});
