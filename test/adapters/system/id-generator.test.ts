/** UUIDv7 that ascend within a process (RFC 9562, section 6.2). */
import { expect, test } from 'vitest';
import { makeUuidV7, systemClock, uuidV7 } from '#adapters/system/clock.ts';
import { parseId } from '#domain/ids.ts';
import { UUID_V7 } from '#test/support/shapes.ts';

function timeOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

function generate(count: number, clock: () => number): readonly string[] {
  const newId = makeUuidV7(clock);
  return Array.from({ length: count }, () => newId());
}

test('an id is a UUID of version 7 in canonical form', () => {
  const id = uuidV7();
  expect(id).toMatch(UUID_V7);
  expect(parseId(id)).toBe(id);
});

test('an id carries the time at which it was made', () => {
  const at = Date.UTC(2026, 1, 10, 8);
  expect(generate(1, () => at).map(timeOf)).toStrictEqual([at]);
});

test('the clock is that of the machine, in whole milliseconds', () => {
  const before = Date.now();
  const now = systemClock();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(Number.isInteger(now)).toBe(true);
});

test.each<[string, () => () => number]>([
  ['stands still', () => () => 5_000],
  [
    'advances a millisecond each time',
    () => {
      let now = 5_000;
      return () => now++;
    },
  ],
  [
    'steps back',
    () => {
      let now = 50_000;
      return () => now--;
    },
  ],
])('ten thousand ids ascend while the clock %s', (_how, makeClock) => {
  const ids = generate(10_000, makeClock());
  expect(ids.toSorted()).toStrictEqual(ids);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
});

test('ids run at most three milliseconds ahead of a clock that stands still', () => {
  const times = new Set(generate(10_000, () => 5_000).map(timeOf));
  expect([...times].every((time) => time >= 5_000 && time <= 5_003)).toBe(true);
});

test('two generators do not make the same ids', () => {
  const ids = [...generate(1000, () => 5_000), ...generate(1000, () => 5_000)];
  expect(new Set(ids).size).toBe(2000);
});
