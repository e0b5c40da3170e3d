/**
 * The index of filters answers as if each filter were evaluated: over generated filters of every field, operator and
 * shape of value on generated devices, and while filters come, change and go.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { Device } from '#domain/device/device.ts';
import { resolveCustomFields } from '#domain/filter/catalog/custom-field.ts';
import { buildCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { simplifyConditions } from '#domain/filter/conditions/simplify-conditions.ts';
import { compilePredicate, type DevicePredicate } from '#domain/filter/evaluate/compile-predicate.ts';
import { CandidateIndex, FilterIndex } from '#domain/filter/index/filter-index.ts';
import type { OrgId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { openLawWorld } from '#test/domain/filter/text/law-world.ts';
import { newId, SOME_INSTANT } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';
import { EVALUATION_INSTANTS } from '#test/support/random/random-scalars.ts';

const DEVICES = 60;
const RUNS = Number(process.env.FILTER_INDEX_RUNS ?? 60);
const SEED = Number(process.env.FILTER_INDEX_SEED ?? 20261122);

/** An index, and the same filters for evaluation one by one. */
class IndexAndAll {
  readonly index = new FilterIndex<string>(translatePattern);
  readonly filters = new Map<string, { readonly matches: DevicePredicate; readonly orgId: OrgId | null }>();

  /** Both leave out a filter with a pattern that cannot be evaluated. */
  set(id: string, filter: ConditionGroup, orgId: OrgId | null = null): void {
    const compiled = compilePredicate(filter, translatePattern);
    expect(this.index.set(id, filter, orgId).ok).toBe(compiled.ok);
    if (compiled.ok) this.filters.set(id, { matches: compiled.value, orgId });
  }

  delete(id: string): void {
    expect(this.index.delete(id)).toBe(this.filters.delete(id));
  }

  expectSame(devices: readonly Device[], at: EpochMs): void {
    expect(this.index.size).toBe(this.filters.size);
    for (const device of devices) {
      const matching = [...this.filters].filter(
        ([, { matches, orgId }]) => (orgId === null || orgId === device.orgId) && matches(device, at),
      );
      expect(this.index.matching(device, at).toSorted()).toStrictEqual(matching.map(([id]) => id).toSorted());
    }
  }
}

describe('FilterIndex', () => {
  test.each([0, 1, 2, 3])('finds what evaluating each filter finds (world %i)', async (n) => {
    const world = await openLawWorld(SEED + n, DEVICES);
    const batch = fc.array(randomFilter(world.leaves), { minLength: 1, maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(batch, fc.constantFrom(...EVALUATION_INSTANTS), (raws, at) => {
        const both = new IndexAndAll();
        for (const [i, raw] of raws.entries()) both.set(`${i}`, parseFilter(raw, world.catalog));
        both.expectSame(world.devices, at);
      }),
      { numRuns: RUNS, seed: SEED + n },
    );
  });

  test('finds the same for each operator on each field alone', async () => {
    const world = await openLawWorld(SEED, DEVICES);
    for (const leaf of world.leaves) {
      fc.assert(
        fc.property(
          fc.array(leaf.arbitrary, { minLength: 1, maxLength: 20, size: 'max' }),
          fc.constantFrom(...EVALUATION_INSTANTS),
          (conditions, at) => {
            const both = new IndexAndAll();
            for (const [i, condition] of conditions.entries()) {
              both.set(`${i}`, parseFilter(and(condition), world.catalog));
            }
            both.expectSame(world.devices, at);
          },
        ),
        { numRuns: 3, seed: SEED },
      );
    }
  });

  test('finds the same for differing custom fields while filters are added, changed and deleted', async () => {
    const world = await openLawWorld(SEED, DEVICES);
    const orgIds = [...new Set(world.devices.map(({ orgId }) => orgId))];
    const both = new IndexAndAll();
    for (const [round, orgId] of [...orgIds, ...orgIds, ...orgIds].entries()) {
      const catalog = await world.catalogIn(orgId);
      const ofOrg = world.devices.filter((device) => device.orgId === orgId);
      const raws = fc.sample(randomFilter(leavesOf(catalog, ofOrg)), { seed: SEED + round, numRuns: 30 });
      for (const [i, raw] of raws.entries()) {
        // Some filters replace a filter of the previous round, and some have no organization.
        const filter = parseFilter(raw, catalog);
        both.set(`${(round * 20 + i) % 90}`, filter, i % 5 === 0 ? null : orgId);
      }
      for (const id of [...both.filters.keys()].filter((_, i) => i % 4 === round % 4)) both.delete(id);
      both.expectSame(world.devices, SOME_INSTANT);
    }
    for (const id of both.filters.keys()) both.delete(id);
    both.expectSame(world.devices, SOME_INSTANT);
  });

  test('keeps two definitions of one custom key apart', async () => {
    const [device] = (await openLawWorld(SEED, 1)).devices;
    if (device === undefined) throw new Error('the world has no device');
    const orgs = [newId<'organization'>(), newId<'organization'>()] as const;
    const index = new FilterIndex<OrgId>(translatePattern);
    for (const orgId of orgs) {
      const definition = {
        key: 'rack',
        label: 'Rack',
        choices: ['a1', 'a2', 'a3'],
        owner: 'organization' as const,
      };
      const defined = resolveCustomFields([{ ...definition, type: 'dropdown', orgIds: [orgId] }]);
      const isA1 = and({ field: 'custom.rack', operator: 'equals', value: 'a1' });
      index.set(orgId, parseFilter(isA1, buildCatalog(defined)));
    }
    for (const orgId of orgs) {
      const custom = new Map([['rack', 'a1']]);
      expect(index.matching({ ...device, orgId, custom }, SOME_INSTANT)).toStrictEqual([orgId]);
    }
  });

  test('names every pattern that cannot be evaluated in process, and keeps the previous filter', async () => {
    const { devices } = await openLawWorld(SEED, 3);
    const index = new FilterIndex<string>(translatePattern);
    const hostname = (operator: string, value?: string): RawCondition => ({
      field: 'hostname',
      operator,
      ...(value !== undefined && { value }),
    });
    index.set('a', parseFilter(and(hostname('isNotNull'))));
    const refused = index.set('a', parseFilter(and(hostname('matches', '('), hostname('matches', '[b-a]'))));
    expect(refused.ok ? [] : refused.error.map(({ pattern }) => pattern)).toStrictEqual(['(', '[b-a]']);
    for (const device of devices) expect(index.matching(device, SOME_INSTANT)).toStrictEqual(['a']);
    expect([index.delete('a'), index.delete('a')]).toStrictEqual([true, false]);
  });
});

describe('CandidateIndex', () => {
  const is = (field: string, operator: string, value?: unknown): RawCondition => ({ field, operator, value });
  const anything = is('metrics.cpuPercent', 'greaterThan', 5);

  /** Whether a device without values is asked about the filter. */
  async function isAsked(raw: RawGroup): Promise<boolean> {
    const index = new CandidateIndex<string>();
    index.add('it', simplifyConditions(parseFilter(raw)));
    const [device] = (await openLawWorld(SEED, 1)).devices;
    if (device === undefined) throw new Error('the world has no device');
    const bare = { ...device, hostname: 'x', displayName: null, status: 'online', siteId: null, tags: [] };
    return index.find({ ...bare, network: [], software: [], isHeadless: false } as Device).length > 0;
  }

  test.each<[string, RawGroup]>([
    ['an exact text', and(is('hostname', 'equals', 'srv-1'))],
    ['every one of several texts', and(is('hostname', 'in', ['srv-1', 'srv-2']))],
    ['a part of a text', and(is('hostname', 'contains', 'backup'))],
    ['a beginning', and(is('hostname', 'startsWith', 's'))],
    ['an end', and(is('hostname', 'endsWith', '.local'))],
    ['a value of an enum', and(is('status', 'equals', 'offline'))],
    ['a boolean', and(is('isHeadless', 'equals', true))],
    ['a tag', and(is('tags', 'contains', 'vip'))],
    ['any of some tags', and(is('tags', 'hasAny', ['vip', 'lab']))],
    ['all of some tags', and(is('tags', 'hasAll', ['vip', 'lab']))],
    ['a name of software', and(is('software.installed', 'equals', 'Veeam'))],
    ['a part of a name of software', and(is('software.installed', 'contains', 'veeam'))],
    ['an address', and(is('network.ipAddress', 'startsWith', '10.'))],
    ['a missing value', and(is('hostname', 'isNull'))],
    ['one such thing among others', and(anything, is('hostname', 'equals', 'srv-1'), anything)],
    [
      'one such thing in each alternative',
      or(is('hostname', 'equals', 'srv-1'), and(anything, is('tags', 'contains', 'vip'))),
    ],
    ['a value that no device can have', and(is('tags', 'hasAny', []))],
  ])('does not ask a device that lacks %s', async (_, raw) => {
    expect(await isAsked(raw)).toBe(false);
  });

  test.each<[string, RawGroup]>([
    ['a comparison alone', and(anything)],
    ['a negation alone', and(is('hostname', 'notEquals', 'srv-1'))],
    ['an alternative that needs nothing', or(is('hostname', 'equals', 'srv-1'), anything)],
    ['a text that is too short', and(is('hostname', 'contains', 'ab'))],
    [
      'too many values',
      and(
        is(
          'hostname',
          'in',
          Array.from({ length: 65 }, (_, i) => `srv-${i}`),
        ),
      ),
    ],
    ['the empty text', and(is('hostname', 'startsWith', ''))],
  ])('asks every device about %s', async (_, raw) => {
    expect(await isAsked(raw)).toBe(true);
  });
});
