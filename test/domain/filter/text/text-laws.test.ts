/**
 * The laws of filter texts (Contract: §11), over generated trees of every field, operator and shape of value: what
 * is printed reads back to the same devices, and prints the same again.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import { formatConditions } from '#domain/filter/text/print/format-conditions.ts';
import type { EpochMs } from '#domain/time.ts';
import { and, parseFilter, patternsIn, type RawGroup } from '#test/support/filters.ts';
import { randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';
import { type LawWorld, openLawWorld } from './law-world.ts';

const DEVICES = 60;
const RUNS = Number(process.env.TEXT_LAW_RUNS ?? 400);
const SEED = Number(process.env.TEXT_LAW_SEED ?? 20260210);

const noNames = () => [];

function expectLaws(world: LawWorld, raw: RawGroup, at: EpochMs): void {
  const filter = parseFilter(raw, world.catalog);
  const text = formatConditions(filter);
  const parsed = parseFilterText(text, world.catalog, noNames);
  if (!parsed.ok) throw new Error(`${text} is refused: ${JSON.stringify(parsed.error)}`);
  const again = parseFilter(parsed.value, world.catalog);
  expect(formatConditions(again)).toBe(text);
  const expected = world.matching(filter, at);
  if (expected === null) {
    expect(patternsIn(again).length).toBe(patternsIn(filter).length);
  } else expect(world.matching(again, at), text).toStrictEqual(expected);
}

test.each([0, 1, 2])(
  'a printed filter reads back to the same devices and prints the same (world %i)',
  async (n) => {
    const world = await openLawWorld(SEED + n, DEVICES);
    fc.assert(
      fc.property(randomFilter(world.leaves), fc.constantFrom(...EVALUATION_INSTANTS), (raw, at) =>
        expectLaws(world, raw, at),
      ),
      { numRuns: RUNS, seed: SEED + n },
    );
  },
);

test('each operator on each field alone reads back to the same devices and prints the same', async () => {
  const world = await openLawWorld(SEED, DEVICES);
  for (const leaf of world.leaves) {
    fc.assert(
      fc.property(leaf.arbitrary, fc.constantFrom(...EVALUATION_INSTANTS), (condition, at) =>
        expectLaws(world, and(condition), at),
      ),
      { numRuns: 10, seed: SEED },
    );
  }
});
