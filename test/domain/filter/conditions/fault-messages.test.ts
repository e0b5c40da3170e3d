/** Messages about bad filters: what was wrong, what is allowed, and what may have been meant (Contract: §1). */
import { expect, test } from 'vitest';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions } from '#domain/filter/conditions/parse-conditions.ts';
import { messageOf } from './faults-of.ts';

const GOOD = { field: 'hostname', operator: 'equals', value: 'a' };

test.each([
  [5, 'conditions must be a group {"operator": "AND" or "OR", "conditions": [...]}, not 5'],
  [
    GOOD,
    'conditions must be a group {"operator": "AND" or "OR", "conditions": [...]}. Put the condition into a group.',
  ],
  [{ operator: 'AND' }, 'conditions is missing. It must be an array of conditions and groups.'],
])('the filter %j gets the message: %s', (input, message) => {
  const parsed = parseConditions(input, CORE_CATALOG);
  expect(parsed.ok ? '' : parsed.error[0]?.message).toBe(message);
});

const LONG_PATTERN = 'a'.repeat(1001);

test.each([
  [
    5,
    'An element must be a condition {"field", "operator", "value"} or a group {"operator": "AND" or "OR", "conditions": [...]}, not 5',
  ],
  [
    { operator: 'equals', value: 'a' },
    'An element must be a condition {"field", "operator", "value"} or a group {"operator": "AND" or "OR", "conditions": [...]}. This one has neither field nor conditions.',
  ],
  [
    { ...GOOD, conditions: [GOOD] },
    'An element cannot have both field and conditions. Use a condition {"field", "operator", "value"} or a group {"operator": "AND" or "OR", "conditions": [...]}.',
  ],
  [{ conditions: [GOOD] }, 'operator is missing. Use AND or OR.'],
  [{ operator: 'and', conditions: [GOOD] }, 'operator must be AND or OR, in upper case, not "and"'],
  [{ operator: 'OR', conditions: [] }, 'conditions is empty. A group needs at least one condition.'],
  [{ operator: 'OR', conditions: 5 }, 'conditions must be an array of conditions and groups, not 5'],
  [
    { operator: 'OR', conditions: [GOOD], not: true },
    'A group has no member "not". Use operator, conditions.',
  ],
  [{ ...GOOD, field: 5 }, 'field must be a field key such as "hostname", not 5'],
  [{ ...GOOD, field: 'hostnam' }, 'No field "hostnam". Did you mean hostname?'],
  [{ ...GOOD, field: 'ostype' }, 'No field "ostype". Did you mean osType? Field keys are case-sensitive.'],
  [{ ...GOOD, field: 'cpuCores' }, 'No field "cpuCores". Did you mean hardware.cpuCores?'],
  [{ ...GOOD, field: 'xyzzy' }, 'No field "xyzzy". GET /api/v1/filters/fields lists all fields.'],
  [
    { ...GOOD, field: 'custom.seats' },
    'custom.seats has different types in the organizations that you can access. To use it, save the filter in one organization.',
  ],
  [{ field: 'tags' }, 'operator is missing. tags allows hasAny, hasAll, isEmpty, isNotEmpty, contains.'],
  [
    { field: 'tags', operator: 'hasAyn', value: [] },
    'No operator "hasAyn". Did you mean hasAny? tags allows hasAny, hasAll, isEmpty, isNotEmpty, contains.',
  ],
  [
    { field: 'patches.pending', operator: 'isNull' },
    'isNull is not allowed on the boolean field patches.pending. patches.pending allows equals, notEquals.',
  ],
  [{ ...GOOD, vlaue: 1 }, 'A condition has no member "vlaue". Did you mean value?'],
  [{ ...GOOD, ignoreCase: 1 }, 'A condition has no member "ignoreCase". Use field, operator, value.'],
  [{ field: 'hostname', operator: 'in' }, 'value is missing. in takes an array of strings.'],
  [
    { field: 'uptimeSeconds', operator: 'between' },
    'value is missing. between takes an object {from, to} of two numbers.',
  ],
  [
    { field: 'lastSeenAt', operator: 'withinLast', value: 5 },
    'value must be an object {amount, unit}, with a unit of minutes, hours, days, weeks, months, not 5',
  ],
  [{ field: 'tags', operator: 'isEmpty', value: [] }, 'isEmpty takes no value. Leave value out.'],
  [
    { field: 'status', operator: 'in', value: 'online' },
    'value must be an array of values from online, offline, maintenance, decommissioned, quarantined, updating, pending, not "online"',
  ],
  [{ field: 'orgId', operator: 'in', value: ['a'] }, 'value[0] must be a UUID, not "a"'],
  [{ field: 'tags', operator: 'hasAll', value: [7] }, 'value[0] must be a string, not 7'],
  [
    { field: 'uptimeSeconds', operator: 'between', value: { from: 1 } },
    'value.to is missing. value must be an object {from, to} of two numbers.',
  ],
  [
    { field: 'uptimeSeconds', operator: 'between', value: { from: 1, to: 2, step: 1 } },
    'value has no member "step". It must be an object {from, to} of two numbers.',
  ],
  [
    { field: 'lastSeenAt', operator: 'between', value: { from: '2026-02-02', to: '2026-02-01' } },
    'value.from must not be after value.to',
  ],
  [
    { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 0, unit: 'days' } },
    'value.amount must be a number greater than 0, not 0',
  ],
  [
    { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1.5, unit: 'months' } },
    'value.amount must be a whole number of months, not 1.5',
  ],
  [
    { field: 'uptimeSeconds', operator: 'equals', value: 'abc' },
    'value must be a number such as 42 or -1.5, not "abc"',
  ],
  [
    { field: 'uptimeSeconds', operator: 'equals', value: 1e300 },
    'value must be a number from -9007199254740991 to 9007199254740991. Beyond that, numbers are not exact.',
  ],
  [
    { field: 'metrics.cpuPercent', operator: 'equals', value: '90.00000000000000001' },
    'value must have fewer digits. "90.00000000000000001" cannot be compared exactly.',
  ],
  [
    { field: 'hostname', operator: 'equals', value: null },
    'value must be a string, not null. To find devices without a value, use isNull.',
  ],
  [
    { field: 'status', operator: 'equals', value: null },
    'value must be one of online, offline, maintenance, decommissioned, quarantined, updating, pending, not null',
  ],
  [
    { field: 'watchdogStatus', operator: 'equals', value: 'up' },
    'value must be one of connected, failover, offline, not "up"',
  ],
  [
    { field: 'watchdogStatus', operator: 'equals', value: 'offlin' },
    'value must be one of connected, failover, offline, not "offlin". Did you mean offline?',
  ],
  [{ field: 'isHeadless', operator: 'equals', value: 'yes' }, 'value must be true or false, not "yes"'],
  [
    { field: 'lastSeenAt', operator: 'after', value: 'now' },
    'value must be an ISO 8601 date such as "2026-02-10" or "2026-02-10T08:00:00Z", not "now"',
  ],
  [
    { field: 'lastSeenAt', operator: 'after', value: '2026-02-30' },
    'value must be a day that exists. There is no 2026-02-30.',
  ],
  [
    { field: 'uptimeSeconds', operator: 'between', value: { from: 2, to: 1 } },
    'value.from must not be greater than value.to',
  ],
  [
    { field: 'hostname', operator: 'matches', value: LONG_PATTERN },
    'The regular expression has 1001 characters. At most 1000 are allowed.',
  ],
])('the condition %j gets the message: %s', (condition, message) => {
  expect(messageOf(condition)).toBe(message);
});

test('a long value is not repeated in its message', () => {
  expect(messageOf({ field: 'status', operator: 'equals', value: 'x'.repeat(100_000) }).length).toBeLessThan(
    300,
  );
});
