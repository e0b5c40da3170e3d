/** Which tenants exist, on PostgreSQL. */
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/organization-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants } from '#application/ports/fleet/tenant-directory.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return (orgId) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => (await em.count(OrganizationRow, { id: orgId })) > 0);
}

export function makeTenantLister(orm: Orm): ListTenants {
  return () =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const orderBy = { name: 'asc', id: 'asc' } as const;
      const partners = await em.findAll(PartnerRow, { orderBy });
      const organizations = await em.findAll(OrganizationRow, { orderBy });
      return {
        partners: partners.map(({ id, name }) => ({ id, name })),
        organizations: organizations.map(({ id, partner, name }) => ({ id, partnerId: partner.id, name })),
      };
    });
}
