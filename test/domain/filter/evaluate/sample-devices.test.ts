import { expect, test } from 'vitest';
import { EXPLAIN_EFFORT, sampleInterval } from '#domain/filter/evaluate/sample-devices.ts';
import { parseFilter } from '#test/support/filters.ts';

const EFFORT = { exact: 1_000, sampled: 500 };

function conditions(field: string, operator: string, count: number) {
  const [condition] = parseFilter({
    operator: 'AND',
    conditions: [{ field, operator, value: 'a' }],
  }).conditions;
  if (condition?.kind !== 'condition') throw new Error('not a condition');
  return Array.from({ length: count }, () => condition);
}

test('all devices are counted up to the effort, then a part of them that takes less', () => {
  const ten = conditions('hostname', 'contains', 10);
  expect(sampleInterval(ten, 100, EFFORT)).toBe(1);
  expect(sampleInterval(ten, 101, EFFORT)).toBe(3);
  expect(sampleInterval(ten, 1_000, EFFORT)).toBe(20);
});

test('conditions on software and interfaces count ten times', () => {
  expect(sampleInterval(conditions('software.installed', 'contains', 1), 100, EFFORT)).toBe(1);
  expect(sampleInterval(conditions('software.installed', 'contains', 1), 101, EFFORT)).toBe(3);
});

test('500 conditions on a million devices are counted at 10,000 of them, and no more than 20,000 are', () => {
  expect(sampleInterval(conditions('hostname', 'contains', 20), 1_000_000, EXPLAIN_EFFORT)).toBe(50);
  expect(sampleInterval(conditions('hostname', 'contains', 500), 1_000_000, EXPLAIN_EFFORT)).toBe(100);
});
