import { expect, test } from 'vitest';
import { leastMatched } from '#console/pages/explain/flatten-tree.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';

const leaf = (field: string): NodeJson => ({ field, operator: 'isNotNull' });
const group = (operator: 'AND' | 'OR', ...conditions: readonly NodeJson[]): ConditionJson => ({
  operator,
  conditions: [...conditions],
});
const counts = (...numbers: readonly number[]) => numbers.map((count) => ({ count }));

test('the member of an AND that matches the fewest devices is named, a group as a whole', () => {
  const or = group('OR', leaf('c'), leaf('d'));
  const tree = group('AND', leaf('a'), or, leaf('b'));
  expect(leastMatched(tree, counts(0, 412, 3, 1, 2, 900))).toStrictEqual({ node: or, count: 3 });
});

test('groups of one member around the AND are skipped', () => {
  const tree = group('OR', group('AND', group('AND', leaf('a'), leaf('b'))));
  expect(leastMatched(tree, counts(0, 0, 0, 7, 5))).toStrictEqual({ node: leaf('b'), count: 5 });
});

test('the first of several members that match equally few devices is named', () => {
  expect(leastMatched(group('AND', leaf('a'), leaf('b')), counts(0, 5, 5))?.node).toStrictEqual(leaf('a'));
});

test.each([
  ['one condition', group('AND', leaf('a')), counts(0, 0)],
  ['the conditions of an OR', group('OR', leaf('a'), leaf('b')), counts(0, 0, 0)],
])('no member is named for %s', (_name, tree, nodes) => {
  expect(leastMatched(tree, nodes)).toBeNull();
});
