/** What every directory of organizations promises. */
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { anOrganization, aPartner, newId } from '#test/support/builders.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

export function testOrganizationDirectory(backend: () => ContractBackend): void {
  describe('OrganizationDirectory', () => {
    test('knows every organization', async () => {
      const { orgIds } = await createTenant(backend(), 2);
      expect(await Promise.all(orgIds.map((id) => backend().organizationExists(id)))).toStrictEqual([
        true,
        true,
      ]);
    });

    test('does not know an id that no organization has', async () => {
      expect(await backend().organizationExists(newId())).toBe(false);
    });

    test('does not take a partner for an organization', async () => {
      const { partnerId } = await createTenant(backend());
      expect(await backend().organizationExists(partnerId as never)).toBe(false);
    });
  });

  describe('OrganizationsOfPartner', () => {
    test('names the organizations of one partner', async () => {
      const [tenant] = [await createTenant(backend(), 3), await createTenant(backend())];
      const found = await backend().organizationsOf(tenant.partnerId);
      expect(found?.toSorted()).toStrictEqual(tenant.orgIds.toSorted());
    });

    test('tells a partner without organizations apart from an unknown one', async () => {
      const partner = aPartner();
      await loadFleet(backend(), [partner]);
      expect(await backend().organizationsOf(partner.id)).toStrictEqual([]);
      expect(await backend().organizationsOf(newId())).toBeNull();
    });
  });

  describe('ListTenants', () => {
    test('lists every partner and organization by name', async () => {
      const stamp = newId();
      const partner = aPartner({ name: `P ${stamp}` });
      const organizations = ['b', 'A', 'c'].map((name) =>
        anOrganization({ partnerId: partner.id, name: `${name} ${stamp}` }),
      );
      await loadFleet(backend(), [partner, ...organizations]);
      const tenants = await backend().listTenants();
      expect(tenants.partners.filter(({ id }) => id === partner.id)).toStrictEqual([
        { id: partner.id, name: partner.name },
      ]);
      const ours = tenants.organizations.filter(({ partnerId }) => partnerId === partner.id);
      expect(ours.map(({ name }) => name)).toStrictEqual([`A ${stamp}`, `b ${stamp}`, `c ${stamp}`]);
      expect(ours[0]).toStrictEqual({ id: organizations[1]?.id, partnerId: partner.id, name: `A ${stamp}` });
    });
  });
}
