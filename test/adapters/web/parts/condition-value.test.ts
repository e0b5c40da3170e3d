import { expect, test } from 'vitest';
import type { DraftCondition } from '#console/pages/filters/tree/draft-tree.ts';
import {
  editorFor,
  firstOperator,
  firstValue,
  isUnfinished,
  readNumber,
  titleIn,
  withField,
  withOperator,
} from '#console/parts/condition/condition-value.ts';
import { CORE_CATALOG, type FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';

const FIELDS = [...CORE_CATALOG.values()].flatMap((entry) => (entry.kind === 'field' ? [entry.field] : []));

function fieldOf(key: string): FilterField {
  const field = FIELDS.find((one) => one.key === key);
  if (field === undefined) throw new Error(`no field ${key}`);
  return field;
}

function aCondition(given: Partial<DraftCondition>): DraftCondition {
  return { kind: 'condition', id: 1, field: 'tags', operator: 'hasAny', value: ['vip'], ...given };
}

test.each(FIELDS.map((field) => [field.key, field] as const))('%s starts with its defaults', (_, field) => {
  const operator = firstOperator(field);
  expect(field.operators).toContain(operator);
  const condition = { field: field.key, operator, value: firstValue(field, operator) };
  const begun = aCondition(condition);
  // A condition that begins with a value is valid; one without is unfinished.
  const parsed = parseConditions({ operator: 'AND', conditions: [condition] }, CORE_CATALOG);
  expect(parsed.ok).toBe(!isUnfinished(begun));
});

test('each kind of operator and field has its editor', () => {
  expect(editorFor(fieldOf('osType'), 'equals')).toStrictEqual({ kind: 'choice' });
  expect(editorFor(fieldOf('orgId'), 'in')).toStrictEqual({ kind: 'chips' });
  expect(editorFor(fieldOf('metrics.cpuPercent'), 'between')).toStrictEqual({ kind: 'range', of: 'number' });
  expect(editorFor(fieldOf('lastSeenAt'), 'between')).toStrictEqual({ kind: 'range', of: 'date' });
  expect(editorFor(fieldOf('lastSeenAt'), 'before')).toStrictEqual({ kind: 'date' });
  expect(editorFor(fieldOf('lastSeenAt'), 'notWithinLast')).toStrictEqual({ kind: 'span' });
  expect(editorFor(fieldOf('hostname'), 'isNull')).toStrictEqual({ kind: 'none' });
});

test('another operator keeps a value that it accepts', () => {
  const hostname = fieldOf('hostname');
  const contains = aCondition({ field: 'hostname', operator: 'contains', value: 'ws' });
  expect(withOperator(contains, hostname, 'startsWith').value).toBe('ws');
  expect(withOperator(contains, hostname, 'in').value).toStrictEqual(['ws']);
  expect(
    withOperator(aCondition({ field: 'hostname', operator: 'in', value: ['a', 'b'] }), hostname, 'equals')
      .value,
  ).toBe('a');
  expect(withOperator(contains, hostname, 'isNull').value).toBeUndefined();
});

test('another field keeps an operator that it accepts, but never the value', () => {
  const before = aCondition({ field: 'hostname', operator: 'equals', value: 'ws' });
  expect(withField(before, fieldOf('osType'))).toMatchObject({ operator: 'equals', value: undefined });
  expect(withField(before, fieldOf('tags'))).toMatchObject({ operator: 'hasAny', value: undefined });
});

test.each([
  ['lacks a field', { field: '' }, true],
  ['lacks a value', { value: undefined }, true],
  ['lacks half a range', { field: 'metrics.cpuPercent', operator: 'between', value: { from: 1 } }, true],
  ['has a span', { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 7, unit: 'days' } }, false],
  ['needs no value', { operator: 'isEmpty', value: undefined }, false],
  ['has a wrong value', { operator: 'hasAny', value: 'vip' }, false],
])('a condition is unfinished only if it lacks something: it %s', (_, given, isLeft) => {
  expect(isUnfinished(aCondition(given))).toBe(isLeft);
});

test.each([
  ['12', 12],
  [' -1,5 ', -1.5],
  ['', undefined],
  ['12x', '12x'],
])('the text %j is read as %j', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test('a version condition is unfinished without its title, and the ring keeps its number', () => {
  const versions = { operator: 'lessThan', value: '130' };
  expect(['software[].version', 'software[Zoom].version', 'osVersion'].map(titleIn)).toStrictEqual([
    '',
    'Zoom',
    null,
  ]);
  expect(isUnfinished({ field: 'software[].version', ...versions })).toBe(true);
  expect(isUnfinished({ field: 'software[Zoom].version', ...versions })).toBe(false);
  const ring = fieldOf('rollout.bucket');
  expect(editorFor(ring, 'lessThan')).toStrictEqual({ kind: 'ring' });
  const five = withField(aCondition({}), ring);
  expect(five).toMatchObject({ operator: 'lessThan', value: 5 });
  expect(withOperator(five, ring, 'greaterThanOrEquals').value).toBe(5);
});
