/** The faults of bad values, each by its member and code (Contract: §4). */
import { expect, test } from 'vitest';
import type { FilterFaultCode } from '#domain/filter/conditions/filter-fault.ts';
import { conditionFaults, ORG_ID } from '#test/domain/filter/conditions/faults-of.ts';

const LONG_PATTERN = 'a'.repeat(1001);

test.each<[string, string, unknown, string, FilterFaultCode]>([
  // A missing value, and a value where none is allowed.
  ['hostname', 'equals', undefined, '.value', 'value_required'],
  ['tags', 'hasAny', undefined, '.value', 'value_required'],
  ['lastSeenAt', 'withinLast', undefined, '.value', 'value_required'],
  ['hostname', 'isNull', 'x', '.value', 'value_not_allowed'],
  ['hostname', 'isNotNull', false, '.value', 'value_not_allowed'],
  ['tags', 'isEmpty', [], '.value', 'value_not_allowed'],
  ['tags', 'isNotEmpty', '', '.value', 'value_not_allowed'],
  // null is never a value.
  ['hostname', 'equals', null, '.value', 'invalid_value'],
  ['status', 'equals', null, '.value', 'invalid_value'],
  ['isHeadless', 'notEquals', null, '.value', 'invalid_value'],
  ['uptimeSeconds', 'between', null, '.value', 'invalid_value'],
  ['tags', 'hasAny', null, '.value', 'invalid_value'],
  // Text.
  ['hostname', 'equals', true, '.value', 'invalid_value'],
  ['hostname', 'equals', ['a'], '.value', 'invalid_value'],
  ['hostname', 'equals', { from: 'a' }, '.value', 'invalid_value'],
  ['hostname', 'contains', false, '.value', 'invalid_value'],
  ['hostname', 'equals', 'a\u0000b', '.value', 'invalid_value'],
  ['hostname', 'equals', 'a\ud800b', '.value', 'invalid_value'],
  ['hostname', 'equals', 2 ** 53, '.value', 'invalid_value'],
  ['hostname', 'equals', Number.POSITIVE_INFINITY, '.value', 'invalid_value'],
  ['tags', 'contains', ['vpn'], '.value', 'invalid_value'],
  ['software.installed', 'equals', ['zoom'], '.value', 'invalid_value'],
  ['software.notInstalled', 'in', 'zoom', '.value', 'invalid_value'],
  ['hostname', 'matches', true, '.value', 'invalid_value'],
  ['hostname', 'matches', LONG_PATTERN, '.value', 'invalid_pattern'],
  // Lists.
  ['hostname', 'in', 'a', '.value', 'invalid_value'],
  ['hostname', 'in', { 0: 'a' }, '.value', 'invalid_value'],
  ['hostname', 'in', ['a', null], '.value[1]', 'invalid_value'],
  ['hostname', 'in', ['a', 5], '.value[1]', 'invalid_value'],
  ['hostname', 'notIn', [['a']], '.value[0]', 'invalid_value'],
  ['hostname', 'in', ['a', 'b\u0000'], '.value[1]', 'invalid_value'],
  ['tags', 'hasAll', [true], '.value[0]', 'invalid_value'],
  ['status', 'in', ['online', 'on'], '.value[1]', 'invalid_value'],
  // Enums.
  ['status', 'equals', 'Online', '.value', 'invalid_value'],
  ['status', 'equals', '', '.value', 'invalid_value'],
  ['deviceRole', 'equals', 'accesspoint', '.value', 'invalid_value'],
  ['custom.ring', 'equals', 'gamma', '.value', 'invalid_value'],
  ['status', 'equals', 1, '.value', 'invalid_value'],
  // Booleans.
  ['isHeadless', 'equals', 'yes', '.value', 'invalid_value'],
  ['isHeadless', 'equals', 1, '.value', 'invalid_value'],
  ['isHeadless', 'equals', '', '.value', 'invalid_value'],
  ['isHeadless', 'equals', 'True', '.value', 'invalid_value'],
  ['patches.pending', 'equals', 'no', '.value', 'invalid_value'],
  ['patches.pending', 'notEquals', 0, '.value', 'invalid_value'],
  // Ids.
  ['siteId', 'equals', 'abc', '.value', 'invalid_value'],
  ['orgId', 'equals', 5, '.value', 'invalid_value'],
  ['orgId', 'in', [ORG_ID, 'abc'], '.value[1]', 'invalid_value'],
  ['orgId', 'equals', `${ORG_ID} `, '.value', 'invalid_value'],
  // Numbers.
  ['uptimeSeconds', 'equals', 'abc', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', ' 42', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '0x2A', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '1e3', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '+1', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '.5', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '5.', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '１', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', true, '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', Number.POSITIVE_INFINITY, '.value', 'invalid_value'],
  ['uptimeSeconds', 'lessThan', Number.MAX_SAFE_INTEGER + 1, '.value', 'invalid_value'],
  ['uptimeSeconds', 'lessThan', '9007199254740993', '.value', 'invalid_value'],
  ['uptimeSeconds', 'equals', '9007199254740990.9', '.value', 'invalid_value'],
  ['metrics.cpuPercent', 'equals', '0.1000000000000000000001', '.value', 'invalid_value'],
  ['metrics.cpuPercent', 'greaterThan', `0.${'0'.repeat(400)}1`, '.value', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: 1, to: '2.00000000000000000001' }, '.value.to', 'invalid_value'],
  ['uptimeSeconds', 'between', [1, 2], '.value', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: 1 }, '.value.to', 'value_required'],
  ['uptimeSeconds', 'between', { from: 1, to: null }, '.value.to', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: true, to: 2 }, '.value.from', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: 2, to: 1 }, '.value', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: '10', to: '9' }, '.value', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: '2026-01-01', to: 1 }, '.value.from', 'invalid_value'],
  ['uptimeSeconds', 'between', { from: 1, to: 2, unit: 'days' }, '.value', 'value_not_allowed'],
  ['daysSinceLastSeen', 'equals', 'a week', '.value', 'invalid_value'],
  // Dates.
  ['lastSeenAt', 'before', 'now', '.value', 'invalid_value'],
  ['lastSeenAt', 'before', 'infinity', '.value', 'invalid_value'],
  ['lastSeenAt', 'after', 'epoch', '.value', 'invalid_value'],
  ['lastSeenAt', 'after', 'not a date', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', 1_770_681_600_000, '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '1770681600000', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', true, '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '2026-02-30', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '2026-13-01', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '0000-01-01', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '300000-01-01', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '2026-02-10T24:00:00Z', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '2026-02-10T23:59:60Z', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '2026-02-10 08:00', '.value', 'invalid_value'],
  ['lastSeenAt', 'equals', '', '.value', 'invalid_value'],
  ['lastSeenAt', 'between', { from: '2026-02-02', to: '2026-02-01' }, '.value', 'invalid_value'],
  [
    'lastSeenAt',
    'between',
    { from: '2026-02-01', to: '2026-01-31T23:59:59.999Z' },
    '.value',
    'invalid_value',
  ],
  ['lastSeenAt', 'between', { from: 1, to: '2026-02-01' }, '.value.from', 'invalid_value'],
  // Spans.
  ['lastSeenAt', 'withinLast', 5, '.value', 'invalid_value'],
  ['lastSeenAt', 'withinLast', '5 days', '.value', 'invalid_value'],
  ['lastSeenAt', 'withinLast', { amount: 5 }, '.value.unit', 'value_required'],
  ['lastSeenAt', 'withinLast', { unit: 'days' }, '.value.amount', 'value_required'],
  ['lastSeenAt', 'withinLast', { amount: 0, unit: 'days' }, '.value.amount', 'invalid_value'],
  ['lastSeenAt', 'withinLast', { amount: -1, unit: 'days' }, '.value.amount', 'invalid_value'],
  ['lastSeenAt', 'withinLast', { amount: '5', unit: 'days' }, '.value.amount', 'invalid_value'],
  [
    'lastSeenAt',
    'withinLast',
    { amount: Number.POSITIVE_INFINITY, unit: 'days' },
    '.value.amount',
    'invalid_value',
  ],
  ['lastSeenAt', 'withinLast', { amount: null, unit: 'days' }, '.value.amount', 'invalid_value'],
  ['lastSeenAt', 'notWithinLast', { amount: 1.5, unit: 'months' }, '.value.amount', 'invalid_value'],
  ['lastSeenAt', 'withinLast', { amount: 1, unit: 'day' }, '.value.unit', 'invalid_value'],
  ['lastSeenAt', 'withinLast', { amount: 1, unit: 'years' }, '.value.unit', 'invalid_value'],
  [
    'lastSeenAt',
    'withinLast',
    { amount: 1, unit: 'days', from: '2026-01-01' },
    '.value',
    'value_not_allowed',
  ],
])('refuses %s %s %j', (field, operator, value, member, code) => {
  expect(conditionFaults({ field, operator, ...(value !== undefined && { value }) })).toStrictEqual([
    [member, code],
  ]);
});

test('names faults in both ends of a range, both parts of a span and every element of a list', () => {
  const range = { field: 'uptimeSeconds', operator: 'between', value: { from: null, to: 'x' } };
  const nothing = { field: 'uptimeSeconds', operator: 'between', value: {} };
  const span = { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 0, unit: 'ages' } };
  const list = { field: 'status', operator: 'in', value: ['on', 'online', 'off'] };
  expect([range, nothing, span, list].map(conditionFaults)).toStrictEqual([
    [
      ['.value.from', 'invalid_value'],
      ['.value.to', 'invalid_value'],
    ],
    [
      ['.value.from', 'value_required'],
      ['.value.to', 'value_required'],
    ],
    [
      ['.value.amount', 'invalid_value'],
      ['.value.unit', 'invalid_value'],
    ],
    [
      ['.value[0]', 'invalid_value'],
      ['.value[2]', 'invalid_value'],
    ],
  ]);
});

test.each([
  '-007.50',
  '-0.00',
  '90.0000001',
  '0.30000000000000004',
  `0.${'0'.repeat(306)}1`,
  '9007199254740991',
  `${'0'.repeat(1000)}9007199254740991.${'0'.repeat(1000)}`,
])('takes a decimal that can be compared exactly: %s', (value) => {
  expect(conditionFaults({ field: 'metrics.cpuPercent', operator: 'equals', value })).toStrictEqual([]);
});
