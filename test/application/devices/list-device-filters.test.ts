/** GET /devices/:id/filters as a use case: what it reads and asks, and how it ends (Contract: §10). */
import { describe, expect, test, vi } from 'vitest';
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import { makeListDeviceFilters } from '#application/devices/list-device-filters.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import {
  aCall,
  aDevice,
  aFilter,
  fixedClock,
  newId,
  orgScope,
  SOME_INSTANT,
} from '#test/support/builders.ts';
import { and, type RawCondition, type RawGroup } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const is = (field: string, operator: string, value: unknown): RawCondition => ({ field, operator, value });

interface SetUp {
  readonly filters: Readonly<Record<string, RawGroup>>;
  readonly filterTimeoutMs?: number;
  /** Replaces the function of the backend. */
  readonly matches?: DeviceMatcher['matches'];
  readonly beforeEach?: () => Promise<unknown>;
}

/** A device with the tag `vip` and these filters in its organization. */
async function setUp({ filters, filterTimeoutMs = 10_000, matches, beforeEach }: SetUp) {
  const clock = fixedClock();
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId,
    hashPassword: async () => 'hash',
  });
  const { orgId, userId } = await createTenant(backend);
  const device = aDevice({ orgId, hostname: 'srv-1', tags: ['vip'] });
  const records = Object.entries(filters).map(([name, conditions]) =>
    aFilter({ orgId, createdBy: userId, name, conditions }),
  );
  await loadFleet(backend, [device, ...records]);
  const findEach = vi.fn<SavedFilterReader['findEach']>(async function* (scope, ids) {
    for await (const filter of backend.filters.findEach(scope, ids)) {
      await beforeEach?.();
      yield filter;
    }
  });
  const withInner = vi.fn(backend.filters.withInner);
  const asked = vi.fn(matches ?? backend.matcher.matches);
  const list = makeListDeviceFilters({
    ...backend,
    clock,
    filters: { ...backend.filters, findEach, withInner },
    matcher: { ...backend.matcher, matches: asked },
    filterTimeoutMs,
  });
  const ask = async (signal?: AbortSignal) => {
    const call = aCall({ userId, scope: orgScope(orgId) }, { ...(signal !== undefined && { signal }) });
    const answer = await list(call, device.id);
    return answer.ok ? answer.value.filters.map(({ name }) => name) : answer.error.code;
  };
  /** How often each filter was read. */
  const reads = () =>
    Map.groupBy(
      findEach.mock.calls.flatMap(([, ids]) => ids),
      (id: FilterId) => id,
    );
  return { backend, orgId, userId, device, records, list, ask, asked, findEach, withInner, reads };
}

describe('the filters of a device', () => {
  test('come with the instant of the evaluation', async () => {
    const { list, device, records, orgId } = await setUp({
      filters: { a: and(is('tags', 'contains', 'vip')) },
    });
    expect(await list(aCall({ scope: orgScope(orgId) }), device.id)).toStrictEqual(
      ok({ filters: [{ id: records[0]?.id, name: 'a', since: null }], evaluatedAt: SOME_INSTANT }),
    );
  });

  test('are read once, and again only if they have changed', async () => {
    const { backend, ask, findEach, records } = await setUp({
      filters: { a: and(is('tags', 'contains', 'vip')), b: and(is('tags', 'contains', 'lab')) },
    });
    expect([await ask(), await ask()]).toStrictEqual([['a'], ['a']]);
    const wanted = () => findEach.mock.calls.flatMap(([, ids]) => ids);
    expect(wanted().toSorted()).toStrictEqual(records.map(({ id }) => id).toSorted());
    const [, second] = records;
    if (second === undefined) throw new Error('there is no second filter');
    await loadFleet(backend, [{ ...second, conditions: and(is('tags', 'contains', 'vip')) }]);
    expect(await ask()).toStrictEqual(['a', 'b']);
    expect(wanted().slice(2)).toStrictEqual([second.id]);
  });

  test('are read together with the filters that they name, all at once', async () => {
    const { backend, ask, withInner, records, orgId, userId } = await setUp({
      filters: { vips: and(is('tags', 'contains', 'vip')), labs: and(is('tags', 'contains', 'lab')) },
    });
    const naming = [...records, ...records].map(({ id }, i) =>
      aFilter({ orgId, createdBy: userId, name: `outer ${i}`, conditions: and(is('filter', 'equals', id)) }),
    );
    await loadFleet(backend, naming);
    expect(await ask()).toStrictEqual(['outer 0', 'outer 2', 'vips']);
    expect(withInner).toHaveBeenCalledTimes(1);
  });

  test('go to the matcher only if they have a regular expression and may match', async () => {
    const { ask, asked } = await setUp({
      filters: {
        no: and(is('tags', 'contains', 'lab'), is('hostname', 'matches', 'srv')),
        yes: and(is('tags', 'contains', 'vip'), is('hostname', 'matches', 'srv')),
        plain: and(is('hostname', 'contains', 'srv')),
      },
    });
    expect(await ask()).toStrictEqual(['plain', 'yes']);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('leave out a filter whose regular expression is now refused', async () => {
    const { ask } = await setUp({
      filters: { no: and(is('hostname', 'matches', 'srv')), yes: and(is('hostname', 'contains', 'srv')) },
      matches: async () => err({ kind: 'invalid-pattern', reason: 'no' }),
    });
    expect(await ask()).toStrictEqual(['yes']);
  });
});

describe('listing the filters of a device', () => {
  const slow: Readonly<Record<string, RawGroup>> = { slow: and(is('hostname', 'matches', 'srv')) };
  const untilAborted: DeviceMatcher['matches'] = ({ signal }) =>
    new Promise((resolve) => {
      const end = () => resolve(err({ kind: 'cancelled' }));
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted) end();
    });

  test('ends at the deadline, whatever the matcher is doing', async () => {
    const { ask } = await setUp({ filters: slow, filterTimeoutMs: 20, matches: untilAborted });
    expect(await ask()).toBe('filter_timeout');
  });

  test('ends at the deadline of the matcher', async () => {
    const { ask } = await setUp({ filters: slow, matches: async () => err({ kind: 'timeout' }) });
    expect(await ask()).toBe('filter_timeout');
  });

  test('ends when the client goes away, before or during it', async () => {
    const { ask } = await setUp({ filters: slow, matches: untilAborted });
    expect(await ask(AbortSignal.abort())).toBe('cancelled');
    const client = new AbortController();
    const answer = ask(client.signal);
    setImmediate(() => client.abort());
    expect(await answer).toBe('cancelled');
  });

  test('ends at the deadline while storage is slow, and does not repeat what was read by then', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
    const { ask, reads, findEach } = await setUp({
      filters: Object.fromEntries(names.map((name) => [name, and(is('tags', 'contains', 'vip'))])),
      filterTimeoutMs: 60,
      beforeEach: () => new Promise((resolve) => setTimeout(resolve, 15)),
    });
    const answers: unknown[] = [];
    for (let answer = await ask(); ; answer = await ask()) {
      answers.push(answer);
      if (answer !== 'filter_timeout') break;
    }
    expect(answers[0]).toBe('filter_timeout');
    expect(answers.at(-1)).toStrictEqual(names.toSorted());
    // Only the first call reads the first filter. Every call that reads asks for the last filter.
    const counts = [...reads().values()].map((ids) => ids.length);
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBe(findEach.mock.calls.filter(([, ids]) => ids.length > 0).length);
  });
});
