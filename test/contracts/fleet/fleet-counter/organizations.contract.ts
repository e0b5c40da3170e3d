/** What every list of organizations promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, namedOwners, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { aDevice, anOrganization, aPartner, orgScope, partnerScope } from '#test/support/builders.ts';
import { loadFleet } from '#test/support/tenant.ts';
import { makeCounterQuestions } from './ask-counter.ts';

export function testOrganizationCounts(backend: () => ContractBackend): void {
  const { organizations } = makeCounterQuestions(backend);

  describe('FleetCounter: organizations', () => {
    test.each(REACH)('for %s, only organizations in reach are listed', async (_, scopeOf, expected) => {
      const tenants = await createTenants(backend());
      const { orgs } = namedOwners(tenants);
      const nameOf = new Map(Object.entries(orgs).map(([name, id]) => [id, name]));
      const found = (await organizations(scopeOf(tenants))).flatMap(({ id }) => nameOf.get(id) ?? []);
      expect(found.sort()).toStrictEqual(expected.filter((name) => Object.hasOwn(orgs, name)));
    });

    test('have their partner and the number of their devices, even if it is 0', async () => {
      const partner = aPartner({ name: 'Ünited "Partners"' });
      const full = anOrganization({ partnerId: partner.id, name: 'Full' });
      const empty = anOrganization({ partnerId: partner.id, name: 'Empty' });
      const devices = Array.from({ length: 7 }, () => aDevice({ orgId: full.id }));
      await loadFleet(backend(), [partner, full, empty, ...devices]);
      const of = { partnerId: partner.id, partnerName: 'Ünited "Partners"' };
      const found = await organizations(partnerScope(partner.id, [full.id, empty.id]));
      expect(found.toSorted((a, b) => b.deviceCount - a.deviceCount)).toStrictEqual([
        { id: full.id, name: 'Full', ...of, deviceCount: 7 },
        { id: empty.id, name: 'Empty', ...of, deviceCount: 0 },
      ]);

      await loadFleet(backend(), [aDevice({ orgId: full.id }), ...devices.slice(0, 3)]);
      expect((await organizations(orgScope(full.id)))[0]?.deviceCount).toBe(8);
    });

    test('are empty without any reach', async () => {
      expect(await organizations({ kind: 'none' })).toStrictEqual([]);
    });
  });
}
