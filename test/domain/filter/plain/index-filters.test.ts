/** An index of filters over plain devices gives the same answers as each filter alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import {
  type CompiledFilter,
  compileFilter,
  type FilterToIndex,
  indexFilters,
  type PlainCustomField,
} from '#domain/filter/plain/compile-filter.ts';
import type { PlainDevice } from '#domain/filter/plain/read-plain-device.ts';
import { openLawWorld } from '#test/domain/filter/text/law-world.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import { and, type RawCondition } from '#test/support/filters.ts';
import { randomPlainForm } from '#test/support/random/plain-devices.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';

const SEED = 20261122;
const CUSTOM_FIELDS: readonly PlainCustomField[] = [{ key: 'rack', type: 'text' }];

test('the index finds what each filter finds, for one organization or for all', async () => {
  const { devices } = await openLawWorld(SEED, 30);
  const raw = fc.array(randomFilter(leavesOf(CORE_CATALOG, devices)), { minLength: 20, maxLength: 40 });
  const orgIds = [null, undefined, ...new Set(devices.map(({ orgId }) => orgId.toUpperCase()))];
  const plainDevices = fc.tuple(...devices.map(randomPlainForm));
  let found = 0;
  fc.assert(
    fc.property(raw, plainDevices, (raws, plain) => {
      const filters = raws.flatMap((conditions, i): FilterToIndex<number>[] => {
        const compiled = compileFilter(conditions, { translatePattern });
        return compiled.ok ? [{ id: i, filter: compiled.value, orgId: orgIds[i % orgIds.length] }] : [];
      });
      const index = indexFilters(filters);
      expect(index.size).toBe(filters.length);
      for (const device of [...plain, {}] as PlainDevice[]) {
        const expected = filters.filter(({ filter, orgId }) =>
          (orgId ?? null) === null || orgId === device.orgId?.toUpperCase()
            ? filter(device, SOME_INSTANT)
            : false,
        );
        const matching = index.matching(device, SOME_INSTANT);
        expect(matching.toSorted((a, b) => a - b)).toStrictEqual(expected.map(({ id }) => id));
        found += matching.length;
      }
    }),
    { numRuns: 20, seed: SEED },
  );
  expect(found).toBeGreaterThan(100);
});

test('filters can be added, changed and deleted', () => {
  const index = indexFilters([
    { id: 'a', filter: compile({ field: 'tags', operator: 'contains', value: 'vip' }) },
  ]);
  const vip = { tags: ['vip'] };
  expect(index.matching(vip, SOME_INSTANT)).toStrictEqual(['a']);
  index.set({ id: 'a', filter: compile({ field: 'tags', operator: 'contains', value: 'lab' }) });
  expect(index.matching(vip, SOME_INSTANT)).toStrictEqual([]);
  expect([index.delete('a'), index.delete('a'), index.size]).toStrictEqual([true, false, 0]);
});

test('filters that share their definitions share the index of a custom field', () => {
  const rack = (value: string) =>
    compile({ field: 'custom.rack', operator: 'equals', value }, CUSTOM_FIELDS).conditions.conditions[0];
  const [one, two] = [rack('a1'), rack('a2')];
  if (one?.kind !== 'condition' || two?.kind !== 'condition')
    throw new Error('the filters have no condition');
  expect(one.field).toBe(two.field);
});

test('a device that cannot be read is refused, whatever the filters ask', () => {
  const index = indexFilters<string>([]);
  expect(() => index.matching({ lastSeenAt: 'today' }, SOME_INSTANT)).toThrow('lastSeenAt must be');
  expect(index.matching({ orgId: newId() }, SOME_INSTANT)).toStrictEqual([]);
});

function compile(condition: RawCondition, customFields: readonly PlainCustomField[] = []): CompiledFilter {
  const compiled = compileFilter(and(condition), { customFields });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return compiled.value;
}
