/** Long work yields to other work (issue 8). The tests count turns, never time. */
import { expect, test } from 'vitest';
import { inSlices } from '#application/in-slices.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { parseConditions, parseConditionsInSteps } from '#domain/filter/conditions/parse-conditions.ts';
import { parseFilterText, parseFilterTextInSteps } from '#domain/filter/text/parse/parse-filter-text.ts';
import type { Steps } from '#domain/steps.ts';

/** The result of the work, and how many turns other work had meanwhile. */
async function withTurns<T>(work: Promise<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const takeTurn = () => {
    turns++;
    if (!isDone) setImmediate(takeTurn);
  };
  takeTurn();
  const value = await work;
  isDone = true;
  return { value, turns };
}

const TEXT = 'host:a '.repeat(100_000);

test('other work has many turns while a long text is parsed', async () => {
  const { value, turns } = await withTurns(inSlices(parseFilterTextInSteps(TEXT, CORE_CATALOG, () => [])));
  expect(value).toStrictEqual(parseFilterText(TEXT, CORE_CATALOG, () => []));
  expect(turns).toBeGreaterThan(5);
});

test('other work has turns while long conditions are parsed', async () => {
  const leaf = { field: 'hostname', operator: 'contains', value: 'a' };
  const conditions = { operator: 'OR', conditions: Array.from({ length: 100_000 }, () => leaf) };
  const { value, turns } = await withTurns(inSlices(parseConditionsInSteps(conditions, CORE_CATALOG)));
  expect(value).toStrictEqual(parseConditions(conditions, CORE_CATALOG));
  expect(turns).toBeGreaterThan(2);
});

test('an error thrown by a step reaches the caller', async () => {
  function* failing(): Steps<number> {
    yield;
    throw new RangeError('no more');
  }
  await expect(inSlices(failing())).rejects.toThrow('no more');
});
