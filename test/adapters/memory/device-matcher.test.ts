/** Slices and turns of the in-memory matcher, on a clock that the test controls. */
import { describe, expect, test } from 'vitest';
import { makeDeviceMatcher } from '#adapters/memory/reads/device-matcher.ts';
import { FairQueue } from '#adapters/memory/scheduling/slices.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { err, ok } from '#domain/result.ts';
import { aDevice, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, parseFilter } from '#test/support/filters.ts';

const ORG_ID = newId<'organization'>();

/** Each reading of the clock advances it by a millisecond. */
function setUp({ devices, timeoutMs = 1e6 }: { devices: number; timeoutMs?: number }) {
  const world = makeWorld();
  for (let i = 0; i < devices; i++) {
    const { kind: _kind, ...device } = aDevice({ orgId: ORG_ID, hostname: `host-${i}` });
    world.devices.put({ ...device, pendingPatchCount: 0, criticalAlertCount: 0 });
  }
  let now = 0;
  const matcher = makeDeviceMatcher({
    world,
    translatePattern,
    timeoutMs,
    elapsedMs: () => now++,
    queue: new FairQueue(),
  });
  const request = (onBehalfOf: string, given: { signal?: AbortSignal } = {}) => ({
    filter: parseFilter(and({ field: 'hostname', operator: 'isNotNull' })),
    scope: orgScope(ORG_ID),
    at: SOME_INSTANT,
    onBehalfOf,
    ...given,
  });
  const passTime = (ms: number) => {
    now += ms;
  };
  return { world, matcher, request, passTime };
}

/** Counts the turns of the event loop until the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const tick = () => {
    turns++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await work;
  isDone = true;
  return turns;
}

describe('the time that an evaluation takes', () => {
  test('is cut into slices, and other work runs between them', async () => {
    const { matcher, request } = setUp({ devices: 100 });
    // By this clock, a slice of five milliseconds is at most five devices.
    expect(await countTurns(matcher.preview(request('a'), 10))).toBeGreaterThan(15);
  });

  test('is bounded', async () => {
    const { matcher, request } = setUp({ devices: 100, timeoutMs: 50 });
    expect(await matcher.preview(request('a'), 10)).toStrictEqual(err({ kind: 'timeout' }));
  });

  test('is bounded even if the limit is zero', async () => {
    const { matcher, request } = setUp({ devices: 1, timeoutMs: 0 });
    expect(await matcher.preview(request('a'), 10)).toStrictEqual(err({ kind: 'timeout' }));
  });

  test('is no fault while it stays below the limit', async () => {
    const { matcher, request } = setUp({ devices: 1, timeoutMs: 50 });
    expect((await matcher.preview(request('a'), 10)).ok).toBe(true);
  });

  test('does not include the time that the reader of a stream takes', async () => {
    const { matcher, request, passTime } = setUp({ devices: 3000, timeoutMs: 10_000 });
    let count = 0;
    for await (const batch of matcher.streamIds(request('a'))) {
      count += batch.length;
      passTime(1e6);
    }
    expect(count).toBe(3000);
  });

  test('ends a stream when the limit is reached', async () => {
    const { matcher, request } = setUp({ devices: 3000, timeoutMs: 50 });
    await expect(Array.fromAsync(matcher.streamIds(request('a')))).rejects.toMatchObject({
      name: 'MatchStreamError',
      refusal: { kind: 'timeout' },
    });
  });

  test('ends between two slices when the request is cancelled', async () => {
    const { matcher, request } = setUp({ devices: 10_000 });
    const controller = new AbortController();
    const looking = matcher.preview(request('a', { signal: controller.signal }), 10);
    setImmediate(() => setImmediate(() => controller.abort()));
    expect(await looking).toStrictEqual(err({ kind: 'cancelled' }));
  });
});

describe('callers', () => {
  test('take turns, however much work each has queued', async () => {
    const { matcher, request } = setUp({ devices: 100 });
    const done: string[] = [];
    const look = async (caller: string) => {
      await matcher.preview(request(caller), 1);
      done.push(caller);
    };
    await Promise.all([look('greedy'), look('greedy'), look('greedy'), look('greedy'), look('modest')]);
    // The modest caller has one of five pieces of work, but half of the time.
    expect(done.indexOf('modest')).toBeLessThan(4);
    expect(done).toHaveLength(5);
  });

  test('are all served in the end', async () => {
    const { matcher, request } = setUp({ devices: 20 });
    const looks = Array.from({ length: 50 }, (_, i) => matcher.preview(request(`caller-${i % 7}`), 1));
    expect((await Promise.all(looks)).filter((outcome) => outcome.ok)).toHaveLength(50);
  });
});

test('a filter that is used again sees added devices', async () => {
  const { world, matcher, request } = setUp({ devices: 1 });
  const same = request('a');
  await matcher.preview(same, 10);
  const { kind: _kind, ...device } = aDevice({ orgId: ORG_ID, hostname: 'added' });
  world.devices.put({ ...device, pendingPatchCount: 0, criticalAlertCount: 0 });
  const found = await matcher.preview(same, 10);
  expect(found.ok && found.value.devices.map(({ hostname }) => hostname)).toStrictEqual(['added', 'host-0']);
  expect(found).toStrictEqual(ok({ totalCount: 2, devices: found.ok ? found.value.devices : [] }));
});
