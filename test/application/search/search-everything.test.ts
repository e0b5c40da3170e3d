/** GET /search as a use case (Spec: Search; Contract: §6). */
import { describe, expect, test, vi } from 'vitest';
import type { Searcher } from '#application/ports/search/searcher.ts';
import { makeSearchEverything } from '#application/search/search-everything.ts';
import type { Caller } from '#domain/access/caller.ts';
import { err, ok } from '#domain/result.ts';
import { aCall, newId, orgScope } from '#test/support/builders.ts';

const NOTHING = { devices: [], scripts: [], alerts: [], areSimilar: false };
const SCOPE = orgScope(newId());

function setUp(answer: Awaited<ReturnType<Searcher['search']>> = ok(NOTHING)) {
  const search = vi.fn<Searcher['search']>(async () => answer);
  return {
    search,
    searchEverything: makeSearchEverything({
      searcher: { search, contextsOf: async () => [] },
      organizationExists: async () => true,
    }),
  };
}

describe('the store is asked', () => {
  test('for the trimmed text within the reach of the caller, on their behalf', async () => {
    const { search, searchEverything } = setUp();
    const userId = newId<'user'>();
    const call = aCall({ scope: SCOPE, userId });
    await searchEverything(call, { q: ' Srv ', limit: 7 });
    await searchEverything(call, { q: 'Srv', limit: undefined });
    const request = {
      text: 'Srv',
      scope: SCOPE,
      categories: ['devices', 'scripts', 'alerts'],
      onBehalfOf: userId,
      orSimilar: false,
    };
    expect(search.mock.calls).toStrictEqual([[{ ...request, limit: 7 }], [{ ...request, limit: 20 }]]);
  });

  test('to stop when the client goes away', async () => {
    const { search, searchEverything } = setUp();
    const { signal } = new AbortController();
    await searchEverything(aCall({}, { signal }), { q: 'srv', limit: 1 });
    expect(search.mock.calls[0]?.[0].signal).toBe(signal);
  });

  test.each<[unknown, unknown, readonly (readonly [string, string])[]]>([
    [undefined, undefined, [['q', 'value_required']]],
    ['  ', 20, [['q', 'invalid_value']]],
    [5, 20, [['q', 'invalid_value']]],
    ['a\u0000', 20, [['q', 'invalid_value']]],
    ['srv', 51, [['limit', 'out_of_range']]],
    ['srv', '5', [['limit', 'out_of_range']]],
    [
      '',
      0,
      [
        ['q', 'invalid_value'],
        ['limit', 'out_of_range'],
      ],
    ],
  ])('nothing if the text is %j and the limit is %j, and every fault is named', async (q, limit, faults) => {
    const { search, searchEverything } = setUp();
    const refused = await searchEverything(aCall(), { q, limit });
    const error = refused.ok ? null : refused.error;
    expect([
      error?.code,
      error && 'errors' in error && error.errors.map(({ path, code }) => [path, code]),
    ]).toStrictEqual(['validation_failed', faults]);
    expect(search).not.toHaveBeenCalled();
  });
});

describe('the answer', () => {
  const device = { id: 'd', title: 'Audit server', description: 'online', beside: [] };
  const script = { id: 's', title: 'audit', description: null, beside: [] };
  const alert = { id: 'a', title: 'No audit', description: 'Since Monday', beside: [] };
  const shown = ({ beside: _beside, ...texts }: typeof device | typeof script) => texts;

  test.each<[string, Partial<Caller>, readonly string[]]>([
    ['somebody', {}, ['d', 's', 'a']],
    ['a holder of users:write', { permissions: new Set(['users:write']) }, ['d', 's', 'a', 'audit-log']],
  ])('is ranked, with the pages that %s may open', async (_, caller, ids) => {
    const { searchEverything } = setUp(
      ok({ ...NOTHING, devices: [device], scripts: [script], alerts: [alert] }),
    );
    const found = await searchEverything(aCall(caller), { q: 'AUDIT', limit: 20 });
    expect(found.ok && found.value.map(({ id }) => id)).toStrictEqual(ids);
    expect(found.ok && found.value.slice(0, 3)).toStrictEqual([
      { type: 'devices', ...shown(device) },
      { type: 'scripts', ...shown(script) },
      { type: 'alerts', ...shown(alert) },
    ]);
  });

  test.each([
    [{ match: 'true' }, ['match']],
    [{ match: 1, approximate: null }, ['match', 'approximate']],
  ])('to %j names the flags that are neither true nor false', async (flags, paths) => {
    const { search, searchEverything } = setUp();
    const refused = await searchEverything(aCall(), { q: 'srv', limit: 5, ...flags });
    const error = refused.ok ? null : refused.error;
    expect(error && 'errors' in error && error.errors.map(({ path }) => path)).toStrictEqual(paths);
    expect(search).not.toHaveBeenCalled();
  });

  test.each<[string, boolean]>([
    ['srvx', true],
    ['srv1', false],
    ['s-r.v x9', true],
    ['éöüß', true],
    ['1234567', false],
    // A settings page contains the text.
    ['prof', false],
  ])('to %j may be approximate: %s', async (q, may) => {
    const { search, searchEverything } = setUp();
    await searchEverything(aCall(), { q, limit: 5, approximate: true });
    await searchEverything(aCall(), { q, limit: 5, approximate: false });
    expect(search.mock.calls.map(([{ orSimilar }]) => orSimilar)).toStrictEqual([may, false]);
  });

  test('marks results that only resemble the text, the most similar first, pages included', async () => {
    const devices = [{ ...device, title: 'Audit' }];
    const scripts = [{ ...script, title: 'profiel' }];
    const { searchEverything } = setUp(ok({ ...NOTHING, devices, scripts, areSimilar: true }));
    const found = await searchEverything(aCall(), { q: 'profiles', limit: 5, approximate: true });
    // A result that is not similar enough is left out, even if the store returns it.
    expect(found.ok && found.value).toStrictEqual([
      {
        ...{ type: 'settings', id: 'profile', title: 'Profile', href: '/settings/profile' },
        ...{ description: 'Your name and email address', isApproximate: true },
      },
      { type: 'scripts', id: 's', title: 'profiel', description: null, isApproximate: true },
    ]);
  });

  test('has no more results than the limit', async () => {
    const devices = Array.from({ length: 60 }, (_, i) => ({ ...device, id: `d${i}` }));
    const { searchEverything } = setUp(ok({ ...NOTHING, devices, scripts: [script] }));
    const found = await searchEverything(aCall(), { q: 'audit', limit: 5 });
    expect(found.ok && found.value.map(({ type }) => type)).toStrictEqual([
      ...['devices', 'devices', 'devices', 'devices', 'scripts'],
    ]);
  });

  test.each([
    ['timeout', 'search_timeout', 'The search took too long; try a longer or less common text.'],
    ['cancelled', 'cancelled', 'The client closed the request.'],
  ] as const)('to a search that ended by %s is %s', async (kind, code, detail) => {
    const { searchEverything } = setUp(err({ kind }));
    expect(await searchEverything(aCall(), { q: 'srv', limit: 5 })).toStrictEqual(err({ code, detail }));
  });
});
