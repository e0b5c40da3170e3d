import type { EntityManager } from '@mikro-orm/postgresql';
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import type { ListTenants, Tenants, TenantWriter } from '#application/ports/fleet/tenant-directory.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return (orgId) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => (await em.count(OrganizationRow, { id: orgId })) > 0);
}

export function makeTenantLister(orm: Orm): ListTenants {
  return () => orm.withScope(SYSTEM_SCOPE, listTenants);
}

async function listTenants(em: EntityManager): Promise<Tenants> {
  const orderBy = { name: 'asc', id: 'asc' } as const;
  const partners = await em.findAll(PartnerRow, { orderBy });
  const organizations = await em.findAll(OrganizationRow, { orderBy });
  return {
    partners: partners.map(({ id, name }) => ({ id, name })),
    organizations: organizations.map(({ id, partner, name }) => ({ id, partnerId: partner.id, name })),
  };
}

export function tenantWriter(em: EntityManager): TenantWriter {
  return {
    hold: async () => {
      await em.flush();
      await em.execute(HOLD_TENANTS);
      // A new statement sees the commits of earlier lock holders.
      return listTenants(em);
    },
    addPartner: async (partner) => void (await em.insert(PartnerRow, partner)),
    addOrganization: async ({ partnerId, ...organization }) =>
      void (await em.insert(OrganizationRow, { ...organization, partner: partnerId })),
  };
}

/** A lock keeps created tenants' names apart. An index would also refuse loaded tenants, which may share names. */
const HOLD_TENANTS = `select pg_advisory_xact_lock(hashtextextended('names of tenants', 0))`;
