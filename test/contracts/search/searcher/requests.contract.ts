/** What every searcher promises of requests: the categories that are asked for, and cancellation. */
import { err } from '#domain/result.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { orgScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { aBlankAlert, aBlankDevice, aBlankScript, makeSearcherQuestions } from './ask-searcher.ts';

export function testSearcherRequests(backend: () => ContractBackend): void {
  const { search } = makeSearcherQuestions(backend);

  const createOrg = async () => {
    const { orgId } = await createTenant(backend());
    await loadFleet(backend(), [
      aBlankDevice({ orgId, hostname: 'sought' }),
      aBlankScript({ owner: { kind: 'organization', orgId }, name: 'sought' }),
      aBlankAlert({ orgId, title: 'sought' }),
    ]);
    return orgScope(orgId);
  };

  describe('Searcher and requests', () => {
    test.each([
      { categories: [] },
      { categories: ['devices'] as const },
      { categories: ['scripts'] as const },
      { categories: ['alerts'] as const },
      { categories: ['alerts', 'devices'] as const },
      { categories: STORED_CATEGORIES },
    ])('searches only the categories [$categories]', async ({ categories }) => {
      const found = await search(await createOrg(), 'sought', { categories });
      expect(STORED_CATEGORIES.map((category) => found[category].length)).toStrictEqual(
        STORED_CATEGORIES.map((category) => (categories.some((asked) => asked === category) ? 1 : 0)),
      );
    });

    test('refuses a request that is already cancelled', async () => {
      const scope = await createOrg();
      const request = { text: 'sought', scope, limit: 5, categories: STORED_CATEGORIES, onBehalfOf: 'test' };
      expect(await backend().searcher.search({ ...request, signal: AbortSignal.abort() })).toStrictEqual(
        err({ kind: 'cancelled' }),
      );
    });

    test('serves many concurrent requests, each with its own results', async () => {
      const scopes = await Promise.all(Array.from({ length: 4 }, createOrg));
      const found = await Promise.all(
        Array.from({ length: 40 }, (_, i) => search(scopes[i % 4] as (typeof scopes)[0], 'sought')),
      );
      const ids = found.map(({ devices }) => devices.map(({ id }) => id).join());
      expect(new Set(ids).size).toBe(4);
      expect(ids).toStrictEqual(Array.from({ length: 40 }, (_, i) => ids[i % 4]));
    });
  });
}
