import { expect, test } from 'vitest';
import { OPERATORS } from '#domain/filter/catalog/operator.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import type { OrgId } from '#domain/ids.ts';
import { catalogOf, ofKind } from './fixed-demo.ts';

const FILTERS = ofKind('filter');

test.each(FILTERS.map((filter) => [filter.name, filter] as const))(
  'the filter %s is valid in its organization',
  (_name, filter) => {
    expect(parseConditions(filter.conditions, catalogOf(filter.orgId as OrgId))).toMatchObject({ ok: true });
  },
);

test('every operator is used somewhere', () => {
  const used = new Set(FILTERS.flatMap(({ conditions }) => operatorsIn(JSON.stringify(conditions))));
  expect(OPERATORS.filter((operator) => !used.has(operator))).toStrictEqual([]);
});

test('the deepest filter nests groups three deep', () => {
  expect(Math.max(...FILTERS.map(({ conditions }) => depthOf(conditions)))).toBe(3);
});

test('no organization has two filters of one name', () => {
  const names = FILTERS.map(({ orgId, name }) => `${orgId} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

function operatorsIn(json: string): readonly string[] {
  return [...json.matchAll(/"operator":"(\w+)"/g)].flatMap(([, operator]) => operator ?? []);
}

/** The number of groups around the innermost condition. */
function depthOf(node: unknown): number {
  const members = typeof node === 'object' && node !== null && 'conditions' in node ? node.conditions : null;
  return Array.isArray(members) ? 1 + Math.max(...members.map(depthOf)) : 0;
}
