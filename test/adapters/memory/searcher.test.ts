/** Slices and turns of the in-memory searcher, on a clock that the test controls. */
import { describe, expect, test } from 'vitest';
import { makeSearcher } from '#adapters/memory/reads/searcher.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { err } from '#domain/result.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import { anAlert, aScript, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';

const ORG_ID = newId<'organization'>();

/** Each reading of the clock advances it by a millisecond. */
function setUp({ count, timeoutMs = 1e6 }: { count: number; timeoutMs?: number }) {
  const world = makeWorld();
  for (let i = 0; i < count; i++) {
    const script = aScript({ owner: { kind: 'organization', orgId: ORG_ID }, name: `sought ${i}` });
    const alert = anAlert({ orgId: ORG_ID, title: `sought ${i}` });
    world.scripts.set(script.id, script);
    world.alerts.set(alert.id, { ...alert, createdAt: SOME_INSTANT });
  }
  let now = 0;
  const searcher = makeSearcher({ world, timeoutMs, elapsedMs: () => now++ });
  const search = (onBehalfOf: string, given: { signal?: AbortSignal; limit?: number } = {}) =>
    searcher.search({
      text: 'sought',
      scope: orgScope(ORG_ID),
      limit: 50,
      categories: STORED_CATEGORIES,
      onBehalfOf,
      ...given,
    });
  return { world, search };
}

describe('the time that a search takes', () => {
  test('is cut into slices, and other work runs between them', async () => {
    const { search } = setUp({ count: 50 });
    let turns = 0;
    let isDone = false;
    const tick = () => {
      turns++;
      if (!isDone) setImmediate(tick);
    };
    setImmediate(tick);
    await search('a');
    isDone = true;
    // By this clock, a slice of five milliseconds is at most five records.
    expect(turns).toBeGreaterThan(15);
  });

  test('is bounded', async () => {
    const { search } = setUp({ count: 50, timeoutMs: 50 });
    expect(await search('a')).toStrictEqual(err({ kind: 'timeout' }));
  });

  test('is bounded even if the limit is zero', async () => {
    const { search } = setUp({ count: 0, timeoutMs: 0 });
    expect(await search('a')).toStrictEqual(err({ kind: 'timeout' }));
  });

  test('is no fault while it stays below the limit', async () => {
    const { search } = setUp({ count: 1, timeoutMs: 50 });
    expect((await search('a')).ok).toBe(true);
  });

  test('ends between two slices when the request is cancelled', async () => {
    const { search } = setUp({ count: 10_000 });
    const controller = new AbortController();
    const looking = search('a', { signal: controller.signal });
    setImmediate(() => setImmediate(() => controller.abort()));
    expect(await looking).toStrictEqual(err({ kind: 'cancelled' }));
  });
});

describe('callers', () => {
  test('take turns, however much work each has queued', async () => {
    const { search } = setUp({ count: 50 });
    const done: string[] = [];
    const look = async (caller: string) => {
      await search(caller);
      done.push(caller);
    };
    await Promise.all([look('greedy'), look('greedy'), look('greedy'), look('greedy'), look('modest')]);
    // The modest caller has one of five pieces of work, but half of the time.
    expect(done.indexOf('modest')).toBeLessThan(4);
    expect(done).toHaveLength(5);
  });
});

test('an answer does not include writes during the search', async () => {
  const { world, search } = setUp({ count: 100 });
  const looking = search('a');
  // The search has begun by then, and is far from its end.
  setImmediate(() =>
    setImmediate(() => {
      const alert = anAlert({ orgId: ORG_ID, title: 'sought' });
      world.alerts.set(alert.id, { ...alert, createdAt: SOME_INSTANT });
    }),
  );
  const found = await looking;
  expect(found.ok && found.value.alerts.some(({ title }) => title === 'sought')).toBe(false);
  const next = await search('a');
  expect(next.ok && next.value.alerts[0]?.title).toBe('sought');
});

test('a search returns the best hits, up to the limit', async () => {
  const { search } = setUp({ count: 100 });
  const found = await search('a', { limit: 3 });
  expect(found.ok && found.value.scripts.map(({ title }) => title)).toStrictEqual([
    'sought 0',
    'sought 1',
    'sought 10',
  ]);
});
