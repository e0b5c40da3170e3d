import { expect, test } from 'vitest';
import { makeFleetCounter } from '#adapters/memory/reads/fleet-counter.ts';
import { toDevice } from '#adapters/memory/tables/device-table.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { seenSince } from '#domain/fleet/fleet-summary.ts';
import type { OrgId } from '#domain/ids.ts';
import { aDevice, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';

const ORG_ID = newId<'organization'>() as OrgId;
const SINCE = seenSince(SOME_INSTANT);

/** Each reading of the clock advances it by a millisecond. */
function setUp({ count, timeoutMs = 1e6 }: { count: number; timeoutMs?: number }) {
  const world = makeWorld();
  const add = () => {
    const record = aDevice({ orgId: ORG_ID, patches: [{ id: null, title: 'KB1', status: 'failed' }] });
    world.devices.put(toDevice(record, 0));
  };
  for (let i = 0; i < count; i++) add();
  let now = 0;
  const counter = makeFleetCounter({ world, timeoutMs, elapsedMs: () => now++ });
  const request = (onBehalfOf: string, signal?: AbortSignal) => ({
    scope: orgScope(ORG_ID),
    onBehalfOf,
    ...(signal !== undefined && { signal }),
  });
  return { counter, request, add };
}

const ALL = { status: null, after: null, limit: 10 };

test('counting that takes too long is refused', async () => {
  const { counter, request } = setUp({ count: 100, timeoutMs: 50 });
  const refused = { ok: false, error: { kind: 'timeout' } };
  expect(await counter.summary(request('a'), SINCE)).toStrictEqual(refused);
  expect(await counter.patches(request('a'), ALL)).toStrictEqual(refused);
});

test('a cancelled count ends', async () => {
  const { counter, request } = setUp({ count: 100 });
  const gone = new AbortController();
  const counting = counter.summary(request('a', gone.signal), SINCE);
  setImmediate(() => gone.abort());
  expect(await counting).toStrictEqual({ ok: false, error: { kind: 'cancelled' } });
});

test('counts take turns: a short one that begins later ends before a long one', async () => {
  const { counter, request } = setUp({ count: 200 });
  const ended: string[] = [];
  const long = counter.summary(request('a'), SINCE).then(() => ended.push('long'));
  const short = counter
    .summary({ ...request('b'), scope: orgScope(newId()) }, SINCE)
    .then(() => ended.push('short'));
  await Promise.all([long, short]);
  expect(ended).toStrictEqual(['short', 'long']);
});

test('a count does not include writes while it runs', async () => {
  const { counter, request, add } = setUp({ count: 100 });
  const counting = [counter.summary(request('a'), SINCE), counter.patches(request('b'), ALL)] as const;
  setImmediate(() => setImmediate(add));
  const [summary, patches] = await Promise.all(counting);
  expect(summary.ok && summary.value.devices.total).toBe(100);
  expect(patches.ok && patches.value[0]?.failed).toBe(100);
});
