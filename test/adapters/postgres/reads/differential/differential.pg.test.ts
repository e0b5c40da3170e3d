/**
 * The two evaluators give the same answers: generated filters over generated devices, until they differ. Every run
 * draws anew; DIFFERENTIAL_SEED draws again what a failure names, DIFFERENTIAL_RUNS sets the number of filters.
 * Longer: `npm run test:differential`.
 */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { FilterExplainer } from '#application/ports/filters/filter-explainer.ts';
import { SOME_INSTANT } from '#test/support/builders.ts';
import {
  compareComplements,
  compareEvaluators,
  Disagreement,
  type Question,
} from '#test/support/differential/compare-evaluators.ts';
import { runDifferential } from '#test/support/differential/differential-run.ts';
import {
  type DifferentialWorld,
  openDifferentialWorld,
} from '#test/support/differential/differential-world.ts';
import { and } from '#test/support/filters.ts';

const SEED = Number(process.env.DIFFERENTIAL_SEED ?? Math.floor(Math.random() * 2 ** 31));
const RUNS = Number(process.env.DIFFERENTIAL_RUNS ?? 1000);

/** In every second one the planner has to use indexes. */
const WORLDS = 4;

const DEVICES = 300;

test(
  `agree about ${RUNS} generated filters (DIFFERENTIAL_SEED=${SEED})`,
  async () => {
    const tally = await runDifferential({
      adminUrl: inject('databaseUrl'),
      seed: SEED,
      runs: RUNS,
      runsPerWorld: Math.ceil(RUNS / WORLDS),
      deviceCount: DEVICES,
    });
    expect(tally.filters).toBeGreaterThanOrEqual(RUNS);
    expect(tally.worlds).toBe(Math.min(WORLDS, RUNS));
    // The filters were worth comparing: they include everything legal, and neither answer is the rule.
    expect(tally.hits.filter(([, filters]) => filters < RUNS / 1000)).toStrictEqual([]);
    expect(tally.untranslatableShare).toBeLessThan(0.08);
    expect(tally.outcomes.none).toBeLessThan(tally.filters / 2);
    expect(tally.outcomes.all).toBeLessThan(tally.filters / 2);
    expect(tally.complements).toBeGreaterThan(RUNS / 40);
  },
  // Some filters take a second on a busy machine, and the test still has to end.
  120_000 + RUNS * 200,
);

describe('the comparison', () => {
  let world: DifferentialWorld;
  let question: Question;

  beforeAll(async () => {
    world = await openDifferentialWorld({
      adminUrl: inject('databaseUrl'),
      seed: 1,
      deviceCount: 20,
      isIndexed: false,
    });
    const reach = world.reaches.find(({ scope }) => scope.kind === 'system');
    if (reach === undefined) throw new Error('no reach is the whole system');
    question = {
      reach,
      conditions: and({ field: 'status', operator: 'notIn', value: [] }),
      at: SOME_INSTANT,
      limit: 10,
      previews: 2,
    };
  });

  afterAll(() => world.close());

  /** The world with a matcher that does something else. */
  const withMatcher = (changed: Partial<DeviceMatcher>) => ({
    backend: { ...world.backend, matcher: { ...world.backend.matcher, ...changed } },
  });

  test('accepts evaluators that agree', async () => {
    await expect(compareEvaluators(world, question)).resolves.toMatchObject({ kind: 'agreed', matching: 20 });
  });

  test('notices a device that a stream leaves out', async () => {
    const losing = withMatcher({
      async *streamIds(request) {
        for await (const [, ...others] of world.backend.matcher.streamIds(request)) yield others;
      },
    });
    await expect(compareEvaluators(losing, question)).rejects.toThrow(Disagreement);
    await expect(compareComplements(losing, question)).rejects.toThrow(Disagreement);
  });

  test('notices a device that a stream names twice', async () => {
    const repeating = withMatcher({
      async *streamIds(request) {
        for await (const ids of world.backend.matcher.streamIds(request)) yield [...ids, ...ids.slice(0, 1)];
      },
    });
    await expect(compareEvaluators(repeating, question)).rejects.toThrow(Disagreement);
  });

  test('notices a preview in another order', async () => {
    const turned = withMatcher({
      preview: async (request, limit) => {
        const found = await world.backend.matcher.preview(request, limit);
        return found.ok
          ? { ok: true, value: { ...found.value, devices: found.value.devices.toReversed() } }
          : found;
      },
    });
    await expect(compareEvaluators(turned, question)).rejects.toThrow(Disagreement);
  });

  test('notices an explanation that counts a device less', async () => {
    const { explainFilter } = world.backend;
    const losing: FilterExplainer = async (request) => {
      const explained = await explainFilter(request);
      if (!explained.ok) return explained;
      const [first, ...others] = explained.value.counts;
      const counts = [{ count: (first?.count ?? 0) - 1, countWithout: null }, ...others];
      return { ok: true, value: { ...explained.value, counts } };
    };
    const changed = { backend: { ...world.backend, explainFilter: losing } };
    await expect(compareEvaluators(changed, question)).rejects.toThrow(Disagreement);
  });

  test('notices a filter that is refused', async () => {
    const misspelt = {
      ...question,
      conditions: and({ field: 'ostype', operator: 'equals', value: 'linux' }),
    };
    await expect(compareEvaluators(world, misspelt)).rejects.toThrow(Disagreement);
  });
});
