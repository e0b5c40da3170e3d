/** What every explainer promises of its counts: they are those of previews. */
import fc from 'fast-check';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import { canReach } from '#domain/access/access-scope.ts';
import { countNodes } from '#domain/filter/conditions/fold-conditions.ts';
import { err } from '#domain/result.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, or, parseFilter, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { leavesOf, randomFilter } from '#test/support/random/random-filters.ts';
import { randomWorld } from '#test/support/random/random-worlds.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { countByPreviews, explain, explainRaw, requestOf } from './ask-explainer.ts';

const SEED = Number(process.env.EXPLAIN_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Drawn for each scope. */
const FILTERS = 8;

const is = (field: string, operator: string, value?: unknown): RawCondition => ({ field, operator, value });
const WINDOWS = is('osType', 'equals', 'windows');
const ONLINE = is('status', 'equals', 'online');
const VIP = is('tags', 'contains', 'vip');

export function testExplainerCounts(backend: () => ContractBackend): void {
  /** An organization with a device for each combination of Windows, online and vip. */
  const createCube = async () => {
    const { orgId } = await createTenant(backend());
    const devices = Array.from({ length: 8 }, (_, i) =>
      aDevice({
        orgId,
        osType: (i & 1) === 1 ? 'windows' : null,
        status: (i & 2) === 2 ? 'online' : 'offline',
        tags: (i & 4) === 4 ? ['vip'] : [],
      }),
    );
    await loadFleet(backend(), devices);
    return orgScope(orgId);
  };

  /** Each as [count, countWithout]. */
  const explainCube = async (group: RawGroup) => {
    const { deviceCount, counts } = await explainRaw(backend(), await createCube(), group);
    expect(deviceCount).toBe(8);
    return counts.map(({ count, countWithout }) => [count, countWithout]);
  };

  describe('FilterExplainer and counts', () => {
    test('counts each node alone, and for each member of an AND its siblings', async () => {
      expect(await explainCube(and(WINDOWS, or(ONLINE, VIP)))).toStrictEqual([
        [3, null],
        [4, 6],
        [6, 4],
        [4, null],
        [4, null],
      ]);
    });

    test('counts siblings only within the same group', async () => {
      expect(await explainCube(or(VIP, and(WINDOWS, ONLINE, and(VIP))))).toStrictEqual([
        [4, null],
        [4, null],
        [1, null],
        [4, 2],
        [4, 2],
        [4, 2],
        [4, null],
      ]);
    });

    test('counts each condition, even if conditions are equal or contradict each other', async () => {
      const offline = is('status', 'notEquals', 'online');
      expect(await explainCube(and(ONLINE, ONLINE, offline))).toStrictEqual([
        [0, null],
        [4, 0],
        [4, 0],
        [4, 4],
      ]);
    });

    test('counts conditions that hold for all devices or for none', async () => {
      const never = is('hostname', 'in', []);
      const always = is('tags', 'hasAll', []);
      const allOfNothing = is('software.installed', 'hasAll', []);
      expect(await explainCube(and(never, always, allOfNothing, VIP))).toStrictEqual([
        [0, null],
        [0, 4],
        [8, 0],
        [8, 0],
        [4, 0],
      ]);
    });

    test('counts every device for an empty filter', async () => {
      const scope = await createCube();
      const nothing = { kind: 'group', operator: 'AND', conditions: [] } as const;
      expect(await explain(backend(), { scope, filter: nothing })).toStrictEqual({
        deviceCount: 8,
        totalCount: 8,
        sampledCount: null,
        counts: [{ count: 8, countWithout: null }],
        device: null,
      });
    });

    test(`has the counts of previews for generated filters (EXPLAIN_SEED=${SEED})`, async () => {
      const [world] = fc.sample(randomWorld(60), { seed: SEED, numRuns: 1 });
      if (world === undefined) throw new Error('no world was drawn');
      await loadFleet(backend(), world.records);
      // Other suites have devices in the whole system.
      for (const scope of world.scopes.filter(({ kind }) => kind !== 'system')) {
        const devices = world.devices.filter(({ orgId }) => canReach(scope, orgId));
        const catalog = await loadCatalog(backend().customFields, scope);
        // Random patterns may be more than an evaluator accepts.
        const leaves = leavesOf(catalog, devices).filter(({ operator }) => operator !== 'matches');
        const filters = fc.sample(
          randomFilter(leaves).filter((group) => countNodes(parseFilter(group, catalog)) <= 500),
          { seed: SEED, numRuns: FILTERS },
        );
        for (const group of filters) {
          const question = { scope, filter: parseFilter(group, catalog) };
          const { deviceCount, counts } = await explain(backend(), question);
          const expected = await countByPreviews(backend(), question);
          expect([deviceCount, counts, group]).toStrictEqual([devices.length, expected, group]);
        }
      }
    });

    test('takes almost five hundred nodes in nested groups', async () => {
      const scope = await createCube();
      let deep: RawGroup = and(ONLINE);
      for (let level = 1; level < 249; level++) {
        const condition = [WINDOWS, VIP, ONLINE, is('status', 'notEquals', 'online')][level % 4] ?? VIP;
        deep = level % 3 === 0 ? or(condition, deep) : and(deep, condition);
      }
      const question = { scope, filter: parseFilter(deep) };
      const { counts } = await explain(backend(), question);
      expect(counts).toHaveLength(498);
      expect(counts).toStrictEqual(await countByPreviews(backend(), question));
    });

    test('takes one condition inside 499 nested groups', async () => {
      let deep: RawGroup = and(ONLINE);
      for (let level = 2; level < 500; level++) deep = level % 2 === 0 ? or(deep) : and(deep);
      const counts = await explainCube(deep);
      expect(counts).toStrictEqual(Array.from({ length: 500 }, () => [4, null]));
    });

    test('takes a group of 499 conditions', async () => {
      const scope = await createCube();
      const conditions = Array.from({ length: 497 }, (_, i) => is('uptimeSeconds', 'notEquals', i));
      const { counts } = await explainRaw(backend(), scope, and(ONLINE, ...conditions, VIP));
      expect(counts).toStrictEqual([
        { count: 2, countWithout: null },
        { count: 4, countWithout: 4 },
        ...conditions.map(() => ({ count: 8, countWithout: 2 })),
        { count: 4, countWithout: 4 },
      ]);
    });

    test('evaluates at the instant that it is given', async () => {
      const { orgId } = await createTenant(backend());
      await loadFleet(backend(), [aDevice({ orgId, lastSeenAt: SOME_INSTANT })]);
      const seen = and(is('lastSeenAt', 'withinLast', { amount: 1, unit: 'hours' }));
      const countAt = async (at: number) =>
        (await explainRaw(backend(), orgScope(orgId), seen, { at })).counts[0]?.count;
      expect(await countAt(SOME_INSTANT + 3_600_000)).toBe(1);
      expect(await countAt(SOME_INSTANT + 3_600_001)).toBe(0);
    });

    test('ends if the request is cancelled', async () => {
      const request = requestOf({ scope: await createCube(), filter: parseFilter(and(VIP)) });
      const signal = AbortSignal.abort();
      expect(await backend().explainFilter({ ...request, signal })).toStrictEqual(err({ kind: 'cancelled' }));
    });
  });
}
