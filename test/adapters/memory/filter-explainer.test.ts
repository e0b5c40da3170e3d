/** Slices and turns of the in-memory explainer, on a clock that the test controls. */
import { describe, expect, test } from 'vitest';
import { makeDeviceMatcher } from '#adapters/memory/reads/device-matcher.ts';
import { makeFilterExplainer } from '#adapters/memory/reads/filter-explainer.ts';
import { FairQueue } from '#adapters/memory/scheduling/slices.ts';
import { makeWorld } from '#adapters/memory/tables/world.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { err } from '#domain/result.ts';
import { aDevice, newId, orgScope, SOME_INSTANT } from '#test/support/builders.ts';
import { and, parseFilter, type RawCondition } from '#test/support/filters.ts';

const ORG_ID = newId<'organization'>();
const NAMED = { field: 'hostname', operator: 'isNotNull' };

/** Each reading of the clock advances it by a millisecond. */
function setUp({ devices, timeoutMs = 1e6 }: { devices: number; timeoutMs?: number }) {
  const world = makeWorld();
  for (let i = 0; i < devices; i++) {
    const { kind: _kind, ...device } = aDevice({ orgId: ORG_ID });
    world.devices.put({ ...device, pendingPatchCount: 0, criticalAlertCount: 0 });
  }
  let now = 0;
  const deps = { world, translatePattern, timeoutMs, elapsedMs: () => now++, queue: new FairQueue() };
  const request = (onBehalfOf: string, condition: RawCondition = NAMED) => ({
    filter: parseFilter(and(condition)),
    scope: orgScope(ORG_ID),
    at: SOME_INSTANT,
    deviceId: null,
    onBehalfOf,
  });
  return { explain: makeFilterExplainer(deps), matcher: makeDeviceMatcher(deps), request };
}

describe('an explanation in memory', () => {
  test('is bounded in time', async () => {
    const { explain, request } = setUp({ devices: 100, timeoutMs: 50 });
    expect(await explain(request('a'))).toStrictEqual(err({ kind: 'timeout' }));
  });

  test('takes turns with the previews of others', async () => {
    const { explain, matcher, request } = setUp({ devices: 100 });
    const done: string[] = [];
    const note = async (name: string, work: Promise<unknown>) => {
      await work;
      done.push(name);
    };
    await Promise.all([
      ...Array.from({ length: 4 }, () => note('greedy', explain(request('greedy')))),
      note('modest', matcher.preview(request('modest'), 1)),
    ]);
    // The modest caller has one of five pieces of work, but half of the time.
    expect(done.indexOf('modest')).toBeLessThan(3);
  });

  test('refuses a pattern that it cannot evaluate, with the reason', async () => {
    const { explain, request } = setUp({ devices: 1 });
    const pattern = { field: 'hostname', operator: 'matches', value: '(' };
    expect(await explain(request('a', pattern))).toMatchObject({
      ok: false,
      error: { kind: 'invalid-pattern', reason: expect.stringMatching(/./) },
    });
  });
});
