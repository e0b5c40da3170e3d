import type { EntityManager } from '@mikro-orm/postgresql';
import { classifyFailure } from '#adapters/postgres/database-error.ts';
import { arrayText } from '#adapters/postgres/derived-columns.ts';
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { lockSoon, type Orm } from '#adapters/postgres/transactional/orm.ts';
import type {
  OrganizationDirectory,
  OrganizationsOfPartner,
} from '#application/ports/fleet/organization-directory.ts';
import {
  type ListTenants,
  NameTakenError,
  type Place,
  type PlaceKind,
  type Tenants,
  type TenantWriter,
} from '#application/ports/fleet/tenant-directory.ts';
import { type AccessScope, reachableOrgIds, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';

export function makeIsEmpty(orm: Orm): () => Promise<boolean> {
  return () =>
    orm.withScope(SYSTEM_SCOPE, async (em) => (await em.execute<unknown[]>(ANY_TENANT)).length === 0);
}

const ANY_TENANT = '(select 1 from partner limit 1) union all (select 1 from app_user limit 1)';

export function makeOrganizationDirectory(orm: Orm): OrganizationDirectory {
  return (orgId) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => (await em.count(OrganizationRow, { id: orgId })) > 0);
}

export function makeOrganizationsOfPartner(orm: Orm): OrganizationsOfPartner {
  return (partnerId) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      if ((await em.count(PartnerRow, { id: partnerId })) === 0) return null;
      return (await em.find(OrganizationRow, { partner: partnerId })).map(({ id }) => id);
    });
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

export function tenantWriter(em: EntityManager, scope: AccessScope): TenantWriter {
  const orgIds = reachableOrgIds(scope);
  const partnerId = scope.kind === 'partner' && scope.isWhole ? scope.partnerId : null;
  const reach = [orgIds === null, arrayText(orgIds ?? []), partnerId];
  return {
    hold: async () => {
      await em.flush();
      await em.execute(HOLD_TENANTS);
      // A new statement sees what earlier holders of the lock have committed.
      return listTenants(em);
    },
    addPartner: async (partner) => void (await em.insert(PartnerRow, partner)),
    addOrganization: async ({ partnerId, ...organization }) =>
      void (await em.insert(OrganizationRow, { ...organization, partner: partnerId })),
    find: async (kind, id) => {
      const { table, parent } = PLACES[kind];
      await em.flush();
      const [row] = await lockSoon(em, () =>
        em.execute<Place[]>(
          `select t.id, t.name, ${parent === null ? 'null' : `t.${parent}`} as "parentId" from ${table} t
           cross join (select ?::boolean, ?::uuid[], ?::uuid) r(is_all, org_ids, partner_id)
           where t.id = ? and ${IN_REACH[kind]} for update of t`,
          [...reach, id],
        ),
      );
      return row ?? null;
    },
    add: async (kind, { id, parentId, name }) => {
      const { table, parent, of } = PLACES[kind];
      if (parent === null || of === null) {
        await orNameTaken(() => em.execute(`insert into ${table} (id, name) values (?, ?)`, [id, name]));
        return true;
      }
      // If the parent is out of reach, row-level security hides it.
      const parents = await em.execute<unknown[]>(`select 1 from ${of} where id = ? for key share`, [
        parentId,
      ]);
      if (parents.length === 0) return false;
      await orNameTaken(() =>
        em.execute(`insert into ${table} (id, ${parent}, name) values (?, ?, ?)`, [id, parentId, name]),
      );
      return true;
    },
    rename: async (kind, { id, name }) => {
      await orNameTaken(() =>
        em.execute(`update ${PLACES[kind].table} set name = ? where id = ?`, [name, id]),
      );
    },
    remove: async (kind, { id, parentId }) => {
      if (kind === 'organization') {
        const [row] = await em.execute<{ readonly full: boolean }[]>(IS_FULL, [id, id, id]);
        if (row?.full !== false) return false;
      }
      for (const statement of REMOVALS[kind]) {
        const isWithParent = statement.split('?').length === 3;
        await em.execute(statement, isWithParent ? [parentId, id] : [id]);
      }
      return true;
    },
  };
}

const PLACES = {
  partner: { table: 'partner', parent: null, of: null },
  organization: { table: 'organization', parent: 'partner_id', of: 'partner' },
  site: { table: 'site', parent: 'org_id', of: 'organization' },
} as const satisfies Readonly<Record<PlaceKind, object>>;

const IN_REACH: Readonly<Record<PlaceKind, string>> = {
  partner: '(r.is_all or t.id = r.partner_id)',
  organization: '(r.is_all or t.id = any(r.org_ids))',
  site: '(r.is_all or t.org_id = any(r.org_ids))',
};

const IS_FULL = `select exists (select 1 from device where org_id = ?)
  or exists (select 1 from app_user where org_id = ? and status <> 'deleted')
  or exists (select 1 from saved_filter where org_id = ?) as full`;

/**
 * A single placeholder is the place's id. With two, the first is the parent's id and the second the place's. An empty
 * organization has only erased people, whose records move to the partner.
 */
const REMOVALS: Readonly<Record<Exclude<PlaceKind, 'partner'>, readonly string[]>> = {
  organization: [
    'update account_deletion_request set org_id = null, partner_id = ? where org_id = ?',
    `update app_user set org_id = null, scope = 'partner', partner_id = ? where org_id = ?`,
    'delete from app_user_organization where org_id = ?',
    ...['alert', 'enrolment_key', 'api_key', 'organization_software', 'script', 'custom_field', 'site'].map(
      (table) => `delete from ${table} where org_id = ?`,
    ),
    'delete from organization where id = ?',
  ],
  site: [
    'update device set site_id = null where org_id = ? and site_id = ?',
    'update enrolment_key set site_id = null where org_id = ? and site_id = ?',
    'delete from site where id = ?',
  ],
};

async function orNameTaken(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw classifyFailure(error) === 'duplicate' ? new NameTakenError() : error;
  }
}

/** Commands that create tenants take turns, so each sees what the one before has created. */
const HOLD_TENANTS = `select pg_advisory_xact_lock(hashtextextended('names of tenants', 0))`;
