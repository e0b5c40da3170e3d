import { expect, test } from 'vitest';
import { isSampled, sampleInterval } from '#domain/filter/evaluate/sample-devices.ts';
import { newId } from '#test/support/builders.ts';
import { and, parseFilter } from '#test/support/filters.ts';

function conditions(field: string, count: number) {
  const [condition] = parseFilter(and({ field, operator: 'contains', value: 'a' })).conditions;
  if (condition?.kind !== 'condition') throw new Error('not a condition');
  return Array.from({ length: count }, () => condition);
}

test('all devices are counted within the effort limit, and only a sample beyond it', () => {
  expect(sampleInterval(conditions('hostname', 500), 10_000)).toBe(1);
  expect(sampleInterval(conditions('hostname', 500), 10_001)).toBe(2);
  expect(sampleInterval(conditions('hostname', 500), 1_000_000)).toBe(100);
});

test('conditions on software count ten times', () => {
  expect(sampleInterval(conditions('software.installed', 50), 10_000)).toBe(1);
  expect(sampleInterval(conditions('software.installed', 50), 10_001)).toBe(2);
});

test('no more than 20,000 devices are drawn', () => {
  expect(sampleInterval(conditions('hostname', 20), 1_000_000)).toBe(50);
});

test('about one id in four is drawn at an interval of four', () => {
  const ids = Array.from({ length: 4_000 }, () => newId<'device'>());
  expect(ids.every((id) => isSampled(id, 1))).toBe(true);
  const drawn = ids.filter((id) => isSampled(id, 4)).length;
  expect(Math.abs(drawn - 1_000)).toBeLessThan(200);
});
