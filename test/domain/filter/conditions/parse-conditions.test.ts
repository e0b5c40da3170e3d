/** The faults of bad filters: every class by its path and code, and all faults at once (Contract: §1, §4). */
import { expect, test } from 'vitest';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { ok } from '#domain/result.ts';
import { conditionFaults, faultsOf } from './faults-of.ts';

const GOOD = { field: 'hostname', operator: 'equals', value: 'a' };

test.each<[string, unknown, readonly (readonly [string, FilterFaultCode])[]]>([
  ['nothing', undefined, [['conditions', 'not_a_group']]],
  ['null', null, [['conditions', 'not_a_group']]],
  ['a text', 'AND', [['conditions', 'not_a_group']]],
  ['a list', [GOOD], [['conditions', 'not_a_group']]],
  ['a bare condition', GOOD, [['conditions', 'not_a_group']]],
  [
    'an empty object',
    {},
    [
      ['conditions.operator', 'invalid_group_operator'],
      ['conditions.conditions', 'not_a_group'],
    ],
  ],
  ['a group without conditions', { operator: 'AND' }, [['conditions.conditions', 'not_a_group']]],
  [
    'conditions that are null',
    { operator: 'AND', conditions: null },
    [['conditions.conditions', 'not_a_group']],
  ],
  [
    'conditions that are an object',
    { operator: 'AND', conditions: {} },
    [['conditions.conditions', 'not_a_group']],
  ],
  ['an empty group', { operator: 'AND', conditions: [] }, [['conditions.conditions', 'empty_group']]],
  [
    'an empty group within',
    { operator: 'AND', conditions: [GOOD, { operator: 'OR', conditions: [] }] },
    [['conditions.conditions[1].conditions', 'empty_group']],
  ],
  [
    'an operator in lower case',
    { operator: 'and', conditions: [GOOD] },
    [['conditions.operator', 'invalid_group_operator']],
  ],
  ['NOT', { operator: 'NOT', conditions: [GOOD] }, [['conditions.operator', 'invalid_group_operator']]],
  ['no operator', { conditions: [GOOD] }, [['conditions.operator', 'invalid_group_operator']]],
  [
    'an operator that is a list',
    { operator: ['AND'], conditions: [GOOD] },
    [['conditions.operator', 'invalid_group_operator']],
  ],
  [
    'an unknown member of a group',
    { operator: 'AND', conditions: [GOOD], not: true },
    [['conditions', 'unknown_member']],
  ],
  [
    'a group that is a condition too',
    { operator: 'AND', conditions: [{ ...GOOD, conditions: [GOOD] }] },
    [
      ['conditions.conditions[0].field', 'ambiguous_node'],
      ['conditions.conditions[0].value', 'ambiguous_node'],
      ['conditions.conditions[0].operator', 'invalid_group_operator'],
    ],
  ],
  [
    'a null among the conditions',
    { operator: 'AND', conditions: [null] },
    [['conditions.conditions[0]', 'invalid_node']],
  ],
  [
    'a text among the conditions',
    { operator: 'OR', conditions: [GOOD, 'x'] },
    [['conditions.conditions[1]', 'invalid_node']],
  ],
  [
    'a list among the conditions',
    { operator: 'AND', conditions: [[GOOD]] },
    [['conditions.conditions[0]', 'invalid_node']],
  ],
  [
    'an element that is neither a condition nor a group',
    { operator: 'AND', conditions: [{}] },
    [['conditions.conditions[0]', 'invalid_node']],
  ],
  [
    'every fault, in the order of the document',
    {
      operator: 'AND',
      conditions: [
        { field: 'nope', operator: 'equals', value: 1 },
        { operator: 'or', conditions: [{ field: 'hostname', operator: 'within', value: 1 }] },
        { field: 'status', operator: 'equals', value: 'on' },
      ],
    },
    [
      ['conditions.conditions[0].field', 'unknown_field'],
      ['conditions.conditions[1].operator', 'invalid_group_operator'],
      ['conditions.conditions[1].conditions[0].operator', 'unknown_operator'],
      ['conditions.conditions[2].value', 'invalid_value'],
    ],
  ],
])('refuses %s as a filter', (_what, input, faults) => {
  expect(faultsOf(input)).toStrictEqual(faults);
});

test.each<[string, unknown, string, FilterFaultCode]>([
  ['an unknown field', { ...GOOD, field: 'nope' }, '.field', 'unknown_field'],
  ['a field in the wrong case', { ...GOOD, field: 'ostype' }, '.field', 'unknown_field'],
  ['a field with a space', { ...GOOD, field: ' hostname' }, '.field', 'unknown_field'],
  ['a hidden column', { ...GOOD, field: 'agentTokenHash' }, '.field', 'unknown_field'],
  ['a field without its prefix', { ...GOOD, field: 'cpuCores' }, '.field', 'unknown_field'],
  ['a field that is not a text', { ...GOOD, field: 5 }, '.field', 'unknown_field'],
  ['a field that is null', { ...GOOD, field: null }, '.field', 'unknown_field'],
  ['an undefined custom field', { ...GOOD, field: 'custom.nope' }, '.field', 'unknown_field'],
  ['the prefix of custom fields alone', { ...GOOD, field: 'custom.' }, '.field', 'unknown_field'],
  ['__proto__', { ...GOOD, field: '__proto__' }, '.field', 'unknown_field'],
  ['constructor', { ...GOOD, field: 'constructor' }, '.field', 'unknown_field'],
  ['hasOwnProperty', { ...GOOD, field: 'hasOwnProperty' }, '.field', 'unknown_field'],
  ['custom.__proto__', { ...GOOD, field: 'custom.__proto__' }, '.field', 'unknown_field'],
  ['custom.toString', { ...GOOD, field: 'custom.toString' }, '.field', 'unknown_field'],
  ['a custom field with two types', { ...GOOD, field: 'custom.seats' }, '.field', 'ambiguous_custom_field'],
  ['no operator', { field: 'hostname', value: 'a' }, '.operator', 'unknown_operator'],
  ['an unknown operator', { ...GOOD, operator: 'like' }, '.operator', 'unknown_operator'],
  ['an operator in the wrong case', { ...GOOD, operator: 'Equals' }, '.operator', 'unknown_operator'],
  [
    'an operator that is an inherited object member',
    { ...GOOD, operator: 'toString' },
    '.operator',
    'unknown_operator',
  ],
  ['an operator that is no text', { ...GOOD, operator: 1 }, '.operator', 'unknown_operator'],
  ['a misspelt member', { ...GOOD, vlaue: 'b' }, '', 'unknown_member'],
  ['an option that does not exist', { ...GOOD, caseInsensitive: true }, '', 'unknown_member'],
  ['a condition without a field', { operator: 'equals', value: 'a' }, '', 'invalid_node'],
])('refuses %s', (_what, condition, member, code) => {
  expect(conditionFaults(condition)).toStrictEqual([[member, code]]);
});

test('refuses an own member __proto__ that JSON can carry, and pollutes nothing', () => {
  const condition = JSON.parse('{"field":"hostname","operator":"equals","value":"a","__proto__":{"x":1}}');
  expect(conditionFaults(condition)).toStrictEqual([['', 'unknown_member']]);
  expect(Reflect.get({}, 'x')).toBeUndefined();
});

test.each<[string, string]>([
  ['status', 'contains'],
  ['status', 'isNull'],
  ['watchdogStatus', 'isNotNull'],
  ['osType', 'matches'],
  ['hostname', 'greaterThan'],
  ['hostname', 'between'],
  ['hostname', 'isEmpty'],
  ['hostname', 'hasAny'],
  ['tags', 'equals'],
  ['tags', 'in'],
  ['tags', 'notContains'],
  ['tags', 'isNull'],
  ['isHeadless', 'in'],
  ['uptimeSeconds', 'in'],
  ['uptimeSeconds', 'before'],
  ['lastSeenAt', 'greaterThan'],
  ['lastSeenAt', 'in'],
  ['quarantinedAt', 'contains'],
  ['patches.pending', 'isNull'],
  ['alerts.critical', 'in'],
  ['system.rebootRequired', 'isNotNull'],
  ['software.installed', 'notEquals'],
  ['software.installed', 'startsWith'],
  ['software.notInstalled', 'hasAll'],
  ['software.notInstalled', 'notContains'],
  ['orgId', 'notEquals'],
  ['siteId', 'isNull'],
  ['daysSinceLastSeen', 'withinLast'],
  ['custom.ring', 'contains'],
])('refuses the field %s with the operator %s', (field, operator) => {
  expect(conditionFaults({ field, operator, value: 'x' })).toStrictEqual([
    ['.operator', 'operator_not_allowed'],
  ]);
});

test('counts the length of a regular expression in code points', () => {
  expect(conditionFaults({ field: 'hostname', operator: 'matches', value: '🖨'.repeat(1000) })).toStrictEqual(
    [],
  );
});

test('leaves the check of regular expressions to the evaluator', () => {
  expect(conditionFaults({ field: 'hostname', operator: 'matches', value: '(' })).toStrictEqual([]);
});

test('names a hundred faults at most, the first ones', () => {
  const conditions = Array.from({ length: 150 }, (_, i) => ({ ...GOOD, field: `nope${i}` }));
  const faults = faultsOf({ operator: 'AND', conditions });
  expect(faults).toHaveLength(MAX_FAULTS);
  expect(faults.at(-1)).toStrictEqual(['conditions.conditions[99].field', 'unknown_field']);
});

test.each<[string, unknown, string]>([
  ['elements of one list', { ...GOOD, operator: 'in', value: Array(90_000).fill(5) }, 'value[99]'],
  [
    'members of one condition',
    Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`x${i}`, 1])),
    '',
  ],
  [
    'members of one value',
    {
      field: 'uptimeSeconds',
      operator: 'between',
      value: {
        from: 1,
        to: 2,
        ...Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`x${i}`, 1])),
      },
    },
    'value',
  ],
  ['elements of one group', { operator: 'OR', conditions: Array(90_000).fill(5) }, 'conditions[99]'],
])('stops at the hundredth of 90,000 bad %s', (_what, element, member) => {
  const faults = faultsOf({ operator: 'AND', conditions: [element] });
  expect(faults).toHaveLength(MAX_FAULTS);
  expect(faults.at(-1)?.[0]).toBe(`conditions.conditions[0]${member === '' ? '' : `.${member}`}`);
});

test('shortens the path to a deep fault in its middle', () => {
  let group: unknown = { operator: 'AND', conditions: [{ ...GOOD, field: 'nope' }] };
  for (let level = 0; level < 99; level++) group = { operator: 'OR', conditions: [group] };
  const end = '.conditions[0]'.repeat(20);
  expect(faultsOf(group)).toStrictEqual([[`conditions${end}…(60 levels)…${end}.field`, 'unknown_field']]);
});

test('keeps operator and value as they were sent', () => {
  const condition = { field: 'uptimeSeconds', operator: 'between', value: { from: '1', to: 2 } };
  const parsed = parseConditions({ operator: 'OR', conditions: [condition] }, CORE_CATALOG);
  const entry = CORE_CATALOG.get('uptimeSeconds');
  expect(parsed).toStrictEqual(
    ok({
      kind: 'group',
      operator: 'OR',
      conditions: [
        {
          kind: 'condition',
          reads: 'value',
          field: entry?.kind === 'field' ? entry.field : null,
          operator: 'between',
          value: { from: '1', to: 2 },
          predicate: {
            kind: 'numberRange',
            range: { min: 1, isMinIncluded: true, max: 2, isMaxIncluded: true },
          },
          isNegated: false,
        },
      ],
    }),
  );
});
