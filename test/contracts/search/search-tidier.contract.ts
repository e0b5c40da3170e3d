/** What every tidier of searches promises. */
import type { OrgId } from '#domain/ids.ts';
import { STORED_CATEGORIES } from '#domain/search/search-hit.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, orgScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

const LIMIT = 50;

/** Changes of all other suites may still need tidying, and each round merges some of them. */
const MOST_ROUNDS = 1_000;

export function testSearchTidier(backend: () => ContractBackend): void {
  /** What each round returns, until nothing is left. */
  const tidyAll = async () => {
    const made: number[] = [];
    do made.push(await backend().tidySearch(LIMIT));
    while ((made.at(-1) ?? 0) >= LIMIT && made.length < MOST_ROUNDS);
    return made;
  };

  const search = async (orgId: OrgId) => {
    const found = await backend().searcher.search({
      ...{ text: 'tidy', scope: orgScope(orgId), limit: 50, categories: STORED_CATEGORIES },
      onBehalfOf: 'test',
    });
    if (!found.ok) throw new Error(`the search was refused: ${found.error.kind}`);
    return found.value.devices;
  };

  describe('SearchTidier', () => {
    test('ends, and does not change what searches find', async () => {
      const { orgId } = await createTenant(backend());
      for (let i = 0; i < 12; i++) {
        await loadFleet(backend(), [aDevice({ orgId, hostname: `tidy-${(i * 5) % 12}` })]);
      }
      const before = await search(orgId);
      expect(before).toHaveLength(12);
      const made = await tidyAll();
      expect(made.at(-1)).toBeLessThan(LIMIT);
      expect(await search(orgId)).toStrictEqual(before);
    });

    test('has nothing to do if nothing was written since', async () => {
      await tidyAll();
      expect(await backend().tidySearch(LIMIT)).toBe(0);
    });

    test('does not disturb concurrent writers or tidiers', async () => {
      const { orgId } = await createTenant(backend());
      const names = Array.from({ length: 8 }, (_, i) => `tidy-${i}`);
      const writing = names.map((hostname) => loadFleet(backend(), [aDevice({ orgId, hostname })]));
      const tidying = [tidyAll(), tidyAll()];
      await Promise.all([...writing, ...tidying]);
      expect(await search(orgId)).toHaveLength(8);
      await tidyAll();
      expect(await search(orgId)).toHaveLength(8);
    });
  });
}
