/** The chips of the filter bar: what they stand for, and how they are removed and negated. */
import { expect, test } from 'vitest';
import { membersOf, negated, printMembers } from '#console/pages/devices/filter/chip-tree.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';

function rootOf(text: string): ConditionJson {
  const parsed = parseFilterText(text, CORE_CATALOG, () => []);
  if (!parsed.ok) throw new Error(parsed.error[0]?.message);
  return parsed.value;
}

function textOf(operator: 'AND' | 'OR', members: readonly NodeJson[]): string {
  const printed = printMembers(operator, members, CORE_CATALOG);
  if (!printed.ok) throw new Error(printed.error);
  return printed.value.q;
}

function oppositeOf(member: NodeJson): NodeJson {
  const opposite = negated(member, CORE_CATALOG);
  if (!opposite.ok) throw new Error(opposite.error);
  return opposite.value;
}

test.each([
  ['status:online tags:vip', 0, 'tags:vip'],
  ['status:online tags:vip', 1, 'status:online'],
  ['os:windows OR tags:vip OR tags:desk', 1, 'os:windows OR tags:desk'],
  ['os:windows OR tags:vip', 1, 'os:windows'],
  ['chrome status:online', 0, 'status:online'],
  ['chrome', 0, ''],
])('%s without its chip %i is “%s”', (text, index, expected) => {
  const root = rootOf(text);
  const rest = membersOf(root).filter((_, i) => i !== index);
  expect(textOf(root.operator, rest)).toBe(expected);
});

test.each([
  'status:online',
  'tags:vip,desk',
  'chrome',
  '(os:windows OR tags:vip)',
  '(os:windows OR (tags:vip disk:>90))',
])('%s negated twice is the same again', (text) => {
  const member = membersOf(rootOf(text))[0] as NodeJson;
  const once = oppositeOf(member);
  expect(textOf('AND', [once])).not.toBe(text);
  expect(textOf('AND', [oppositeOf(once)])).toBe(textOf('AND', [member]));
});

test('a condition without an opposite is not negated, and the error says so', () => {
  const [member] = membersOf(rootOf('host:anr-*'));
  const opposite = negated(member as NodeJson, CORE_CATALOG);
  expect(opposite.ok ? '' : opposite.error).toMatch(/cannot be negated/);
});

test('an invalid member is refused with a reason', () => {
  const wrong = { field: 'metrics.diskPercent', operator: 'greaterThan', value: 'much' } as const;
  const printed = printMembers('AND', [wrong], CORE_CATALOG);
  expect(printed.ok ? '' : printed.error).toMatch(/number/);
});
