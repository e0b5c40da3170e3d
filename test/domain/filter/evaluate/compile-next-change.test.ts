/** When a filter's answer changes by itself, against evaluation at other instants. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import {
  compileNextChange,
  MAX_LOOKS,
  type NextChange,
} from '#domain/filter/evaluate/compile-next-change.ts';
import { compilePredicate, type DevicePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { CALENDAR_END_MS } from '#domain/filter/values/time-span.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import { openLawWorld } from '#test/domain/filter/text/law-world.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawGroup } from '#test/support/filters.ts';
import { randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';

const RUNS = Number(process.env.NEXT_CHANGE_RUNS ?? 300);
const SEED = 20261124;

function compile(raw: RawGroup, catalog?: Parameters<typeof parseFilter>[1]) {
  const filter = parseFilter(raw, catalog);
  const matches = compilePredicate(filter, translatePattern);
  return matches.ok ? { matches: matches.value, nextChange: compileNextChange(filter, matches.value) } : null;
}

/** Asserts that the answer stays until the change, and returns the change. */
function expectToStay(
  { matches, nextChange }: { matches: DevicePredicate; nextChange: NextChange | null },
  device: Device,
  at: EpochMs,
  shares: readonly number[],
): EpochMs | null {
  const change = nextChange === null ? null : nextChange(device, at);
  const end = change ?? Math.min(at + 3_000 * DAY_MS, CALENDAR_END_MS);
  const now = matches(device, at);
  expect(change === null || change > at).toBe(true);
  for (const share of [...shares, 1]) {
    // Most flips are near one of the two ends.
    for (const instant of [
      at + share * (end - 1 - at),
      end - 1 - share * 3 * DAY_MS,
      at + share * 3 * DAY_MS,
    ]) {
      const whole = Math.floor(instant);
      if (whole >= at && whole < end) expect(matches(device, whole)).toBe(now);
    }
  }
  return change;
}

async function someDevice(given: Partial<Device>): Promise<Device> {
  const [device] = (await openLawWorld(SEED, 1)).devices;
  if (device === undefined) throw new Error('the world has no device');
  return { ...device, ...given };
}

describe('compileNextChange', () => {
  test.each([0, 1, 2, 3])('tells how long an answer stays the same (world %i)', async (n) => {
    const world = await openLawWorld(SEED + n, 40);
    const isRelative = (leaf: { field: string; operator: string }) =>
      /withinLast/i.test(leaf.operator) || leaf.field.startsWith('daysSince');
    const relative = world.leaves.filter(isRelative);
    const leaves = [...relative, ...world.leaves.filter((_, i) => i % 9 === n)];
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 });
    let changes = 0;
    fc.assert(
      fc.property(
        randomFilter(leaves),
        fc.constantFrom(...world.devices),
        fc.constantFrom(...EVALUATION_INSTANTS),
        shares,
        (raw, device, at, shares) => {
          const compiled = compile(raw, world.catalog);
          if (compiled === null) return;
          const change = expectToStay(compiled, device, at, shares);
          if (change === null) return;
          changes++;
          const looksAgain = compiled.matches(device, change) === compiled.matches(device, at);
          if (looksAgain) expect(jsonText(raw).length).toBeGreaterThan(MAX_LOOKS);
        },
      ),
      { numRuns: RUNS, seed: SEED + n },
    );
    expect(changes).toBeGreaterThan(RUNS / 50);
  });

  const lastSeenAt = SOME_INSTANT - 2 * DAY_MS;
  const week = { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 7, unit: 'days' } };
  const day = { field: 'lastSeenAt', operator: 'withinLast', value: { amount: 1, unit: 'days' } };
  const enrolled = (amount: number) => ({
    field: 'enrolledAt',
    operator: 'withinLast',
    value: { amount, unit: 'days' },
  });
  const isOffline = { field: 'status', operator: 'equals', value: 'offline' };

  test.each<[string, RawGroup, EpochMs | null]>([
    ['the end of the span', and(week), lastSeenAt + 7 * DAY_MS + 1],
    ['null if the span is over', and(day), null],
    ['null if another condition rules out a match', and(week, isOffline), null],
    ['null if another condition is enough', or(week, { ...isOffline, value: 'online' }), null],
    [
      'the first end of two that both have to hold',
      and(week, { ...day, operator: 'notWithinLast' }),
      lastSeenAt + 7 * DAY_MS + 1,
    ],
    [
      'the first end even if the longer span is enough, as the device may report again',
      or(week, { ...week, value: { amount: 9, unit: 'days' } }),
      lastSeenAt + 7 * DAY_MS + 1,
    ],
    [
      'the end of the longer span if either is enough',
      or(enrolled(7), enrolled(9)),
      lastSeenAt + 9 * DAY_MS + 1,
    ],
  ])('returns %s', async (_what, raw, change) => {
    const compiled = compile(raw);
    const device = await someDevice({ status: 'online', lastSeenAt, enrolledAt: lastSeenAt });
    expect(compiled?.nextChange?.(device, SOME_INSTANT) ?? null).toBe(change);
  });

  test('returns null for a filter that does not depend on time', () => {
    expect(compile(and(isOffline))?.nextChange).toBeNull();
  });

  test('asks for another look after many instants that change nothing', async () => {
    const hasName = { field: 'hostname', operator: 'isNotNull' };
    // Each day, another member matches.
    const days = Array.from({ length: 200 }, (_, day) =>
      and({ field: 'daysSinceEnrolled', operator: 'equals', value: day }, hasName),
    );
    const compiled = compile(or(...days));
    const device = await someDevice({ enrolledAt: lastSeenAt });
    let [at, rounds] = [SOME_INSTANT, 0];
    for (; compiled?.matches(device, at); rounds++) at = compiled.nextChange?.(device, at) ?? Number.NaN;
    expect([at, rounds]).toStrictEqual([lastSeenAt + 200 * DAY_MS, 4]);
  });
});
