/** What every directory of organizations promises. */
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import { newId } from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';
import type { ContractBackend } from './contract-backend.ts';

export function testOrganizationDirectory(backend: () => ContractBackend): void {
  describe('OrganizationDirectory', () => {
    test('knows every organization there is', async () => {
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
}
