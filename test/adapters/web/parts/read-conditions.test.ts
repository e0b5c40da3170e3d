import { expect, test } from 'vitest';
import { readConditions } from '#console/parts/condition/read-conditions.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';

const PATH = 'conditions.conditions[1]';

/** The faults of one condition that follows a valid one. */
function faultsOf(field: string, operator: string, value?: unknown) {
  const sound = { field: 'status', operator: 'equals', value: 'online' };
  const json = {
    operator: 'AND',
    conditions: [sound, { field, operator, ...(value !== undefined && { value }) }],
  };
  const read = readConditions(json, CORE_CATALOG);
  return read.ok ? [] : read.error.map(({ path, message }) => [path.slice(PATH.length), message]);
}

test.each([
  ['hardware.cpuCores', 'greaterThan', 'abc', '.value', '“abc” is not a number.'],
  ['hardware.cpuCores', 'greaterThan', 1e20, '.value', 'This number is too large to compare exactly.'],
  ['hardware.cpuCores', 'between', { from: 1, to: 'x' }, '.value.to', '“x” is not a number.'],
  ['hardware.cpuCores', 'between', { from: 3, to: 1 }, '.value', '“From” must not be after “To”.'],
  ['hardware.cpuCores', 'greaterThan', undefined, '.value', 'Enter a value.'],
  ['lastSeenAt', 'before', 'soon', '.value', '“soon” is not a date.'],
  [
    'lastSeenAt',
    'withinLast',
    { amount: 0, unit: 'days' },
    '.value.amount',
    'Enter an amount greater than 0.',
  ],
  [
    'lastSeenAt',
    'withinLast',
    { amount: 1.5, unit: 'months' },
    '.value.amount',
    'Enter a whole number of months.',
  ],
  [
    'gone',
    'equals',
    1,
    '.field',
    'The field “gone” does not exist. Choose another one, or remove the condition.',
  ],
])('%s %s %j says what is wrong in plain words', (field, operator, value, path, message) => {
  expect(faultsOf(field, operator, value)).toStrictEqual([[path, message]]);
});

test('a value that is not a choice is answered with the choices', () => {
  const [[, message] = []] = faultsOf('osType', 'equals', 'dos');
  expect(message).toMatch(/^“dos” is not one of windows, /);
});

test('faults that only JSON can have keep the messages of the API', () => {
  expect(faultsOf('hardware.cpuCores', 'greaterThan', [1])).toStrictEqual([
    ['.value', 'value must be a number, not an array'],
  ]);
  expect(readConditions([], CORE_CATALOG)).toMatchObject({ ok: false, error: [{ path: 'conditions' }] });
});

test('conditions without a fault are parsed', () => {
  expect(faultsOf('hardware.cpuCores', 'greaterThan', 4)).toStrictEqual([]);
});
