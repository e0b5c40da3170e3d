/** What every searcher promises about tenants: no scope finds records out of its reach. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, namedOwners, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId, orgScope } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';
import { aBlankAlert, aBlankDevice, aBlankScript, makeSearcherQuestions, newWord } from './ask-searcher.ts';

export function testSearcherTenants(backend: () => ContractBackend): void {
  const { search } = makeSearcherQuestions(backend);

  describe('Searcher and tenants', () => {
    test.each(REACH)('for %s, finds only records in reach', async (_, scopeOf, expected) => {
      const tenants = await createTenants(backend());
      const { orgs, partners } = namedOwners(tenants);
      const word = newWord();
      await loadFleet(backend(), [
        ...Object.entries(orgs).flatMap(([name, orgId]) => [
          aBlankDevice({ orgId, hostname: word, displayName: name }),
          aBlankAlert({ orgId, title: name, message: word }),
          aBlankScript({ owner: { kind: 'organization', orgId }, name, description: word }),
        ]),
        ...Object.entries(partners).map(([name, partnerId]) =>
          aBlankScript({ owner: { kind: 'partner', partnerId }, name, description: word }),
        ),
      ]);
      const found = await search(scopeOf(tenants), word.toUpperCase());
      const titlesOf = (hits: readonly { readonly title: string }[]) => hits.map(({ title }) => title).sort();
      const ofOrgs = expected.filter((name) => Object.hasOwn(orgs, name));
      expect([titlesOf(found.devices), titlesOf(found.scripts), titlesOf(found.alerts)]).toStrictEqual([
        ofOrgs,
        expected,
        ofOrgs,
      ]);
    });

    test("finds a partner's script in an organization that joins it later", async () => {
      const { partnerId } = await createTenant(backend());
      const orgId = newId<'organization'>();
      const word = newWord();
      const script = aBlankScript({ owner: { kind: 'partner', partnerId }, name: word });
      await loadFleet(backend(), [script]);
      await loadFleet(backend(), [{ kind: 'organization', id: orgId, partnerId, name: 'Newcomer' }]);
      expect((await search(orgScope(orgId), word)).scripts).toHaveLength(1);
    });
  });
}
