/** Row-level security limits every statement to the administrator's reach. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { arrayText } from '#adapters/postgres/derived-columns.ts';
import { OrganizationRow, PartnerRow } from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { UserOrganizationRow, UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { holdUser, type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { PeopleReader, PeopleWriter } from '#application/ports/people/people-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type Attribution, attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import { type ChangeablePerson, comparePeople, type Named, type Person } from '#domain/access/person.ts';
import { type AdministratorRole, isSameMembership } from '#domain/access/rights.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { containsFolded, foldCase, sortedName } from '#domain/text/fold-case.ts';

export function makePeopleReader(orm: Orm): PeopleReader {
  return {
    list: (scope, { foldedText, orgId, partnerId, status, after, limit }) =>
      orm.withScope(scope, async (em) => {
        const rows = await em.find(
          UserRow,
          {
            $and: [
              { status: { $ne: 'deleted' } },
              withinReach(scope),
              ...(orgId === null ? [] : [{ orgId }]),
              ...(partnerId === null ? [] : [{ partnerId }]),
            ],
          },
          { fields: ['id', 'name', 'emailLc', 'status'] },
        );
        // People are matched here, because the database does not fold text.
        const isIn = containsFolded(foldedText);
        const page = rows
          .filter(
            (row) => (status === null || row.status === status) && (isIn(row.name) || isIn(row.emailLc)),
          )
          .map(({ id, name }) => ({ id, name: sortedName(name) }))
          .filter((place) => after === null || comparePeople(place, after) > 0)
          .sort(comparePeople)
          .slice(0, limit);
        const ids = page.map(({ id }) => id);
        const found = await em.execute<PersonRow[]>(PEOPLE, [arrayText(ids)]);
        const byId = new Map(found.map((row) => [row.id, row]));
        return ids.flatMap((id) => byId.get(id) ?? []).map(toPerson);
      }),

    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const isThere = await em.count(UserRow, { id, status: { $ne: 'deleted' }, ...withinReach(scope) });
        if (isThere === 0) return null;
        const [row] = await em.execute<PersonRow[]>(PEOPLE, [arrayText([id])]);
        return row === undefined ? null : toPerson(row);
      }),
  };
}

interface PersonRow extends MembershipColumns {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly organization_name: string | null;
  readonly partner_name: string | null;
  readonly provider_id: string | null;
  readonly provider_name: string | null;
  readonly permissions: readonly string[];
  readonly is_platform_admin: boolean;
  readonly status: Person['status'];
  readonly has_totp: boolean;
  readonly passkeys: number;
  /** In epoch milliseconds. */
  readonly signed_in_ms: number | null;
  readonly created_ms: number;
}

interface MembershipColumns {
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
  readonly has_org_subset: boolean;
  readonly org_ids: readonly OrgId[];
}

/** `signed_in_ms` has two sources: networks outlive sessions, but sign-ins without an address leave only a session. */
const PEOPLE = `
  select u.id, u.email, u.name, u.org_id, u.partner_id, u.has_org_subset, u.permissions,
    u.is_platform_admin, u.status::text, u.totp_secret is not null as has_totp,
    (select count(*)::int from passkey k where k.user_id = u.id) as passkeys,
    made.id as provider_id, made.name as provider_name, o.name as organization_name, p.name as partner_name,
    array(select s.org_id::text from app_user_organization s where s.user_id = u.id order by s.org_id) as org_ids,
    (extract(epoch from greatest(
      (select max(n.last_at) from own_network n where n.user_id = u.id),
      (select max(s.created_at) from session s where s.user_id = u.id)
    )) * 1000)::float8 as signed_in_ms,
    (extract(epoch from u.created_at) * 1000)::float8 as created_ms
  from app_user u
    left join federated_identity f on f.user_id = u.id and f.is_made
    left join identity_provider made on made.id = f.provider_id
    left join organization o on o.id = u.org_id left join partner p on p.id = u.partner_id
  where u.id = any(?::uuid[]) and u.status <> 'deleted'`;

function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    membership: toMembership(row),
    organization: toNamed(row.org_id, row.organization_name),
    partner: toNamed(row.partner_id, row.partner_name),
    permissions: row.permissions.toSorted(),
    isPlatformAdmin: row.is_platform_admin,
    status: row.status,
    mfa: { totp: row.has_totp, passkeys: row.passkeys },
    identityProvider: toNamed(row.provider_id, row.provider_name),
    lastSignInAt: row.signed_in_ms,
    createdAt: row.created_ms,
  };
}

function toMembership({ org_id, partner_id, has_org_subset, org_ids }: MembershipColumns): Membership {
  if (org_id !== null) return { scope: 'organization', orgId: org_id };
  if (partner_id === null) return { scope: 'system' };
  return { scope: 'partner', partnerId: partner_id, orgIds: has_org_subset ? org_ids : null };
}

function toNamed(id: string | null, name: string | null): Named | null {
  return id === null || name === null ? null : { id, name };
}

export function peopleWriter(em: EntityManager, scope: AccessScope, clock: Clock): PeopleWriter {
  const find = async (id: UserId): Promise<ChangeablePerson | null> => {
    const user = await holdUser(em, id);
    if (user === null || user.status === 'deleted' || !isWithinReach(scope, user)) return null;
    const { email, name, permissions, isPlatformAdmin, status, orgId, partnerId, hasOrgSubset } = user;
    const subset = hasOrgSubset ? await em.find(UserOrganizationRow, { user: id }) : [];
    const columns = {
      ...{ org_id: orgId, partner_id: partnerId, has_org_subset: hasOrgSubset },
      org_ids: subset.map(({ org }) => org.id).sort(),
    };
    return {
      ...{ id, email, name, isPlatformAdmin, status },
      permissions: permissions.toSorted(),
      membership: toMembership(columns),
    };
  };
  return {
    hold: find,
    replace: async ({ id, name, membership, permissions, isPlatformAdmin, status }) => {
      const known = await find(id);
      const user = await em.findOne(UserRow, id);
      if (known === null || user === null) throw new Error(`there is no person ${id}`);
      if (!isWithinReach(scope, attributionOf(membership)))
        throw new Error(`the place of ${id} is out of reach`);
      const isMoved = !isSameMembership(membership, known.membership);
      if (isMoved || status !== known.status) user.authEpoch += 1;
      em.assign(user, { name, permissions: [...permissions], isPlatformAdmin, updatedAt: new Date(clock()) });
      if (status !== 'invited') user.status = status;
      if (isMoved) {
        const orgIds = membership.scope === 'partner' ? membership.orgIds : null;
        em.assign(user, {
          ...attributionOf(membership),
          scope: membership.scope,
          hasOrgSubset: orgIds !== null,
        });
        await em.flush();
        await em.nativeDelete(UserOrganizationRow, { user: id });
        // `em.create` would skip a row that the identity map still has from before the deletion.
        for (const org of orgIds ?? []) await em.insert(UserOrganizationRow, { user: id, org });
      }
      await em.flush();
    },
    placeExists: async (membership) => {
      if (membership.scope === 'system') return true;
      if (membership.scope === 'organization') {
        return (await em.count(OrganizationRow, { id: membership.orgId })) === 1;
      }
      const { partnerId, orgIds } = membership;
      if ((await em.count(PartnerRow, { id: partnerId })) === 0) return false;
      if (orgIds === null) return true;
      const ours = { id: { $in: [...orgIds] }, partner: partnerId };
      return (await em.count(OrganizationRow, ours)) === orgIds.length;
    },
    isEmailTaken: async ({ email }) => {
      await em.execute(HOLD_EMAIL, [foldCase(email)]);
      // A new statement sees what earlier holders of the lock have committed.
      const [row] = await em.execute<{ readonly taken: boolean }[]>('select is_email_taken(?) as taken', [
        foldCase(email),
      ]);
      return row?.taken === true;
    },
    rolesOfNobodyElse: async (id) => {
      await em.flush();
      await em.execute(HOLD_ADMINISTRATORS);
      // A new statement sees what earlier holders of the lock have committed.
      const [row] = await em.execute<{ readonly roles: readonly AdministratorRole[] }[]>(
        'select administrator_roles_of_nobody_else(?) as roles',
        [id],
      );
      return row?.roles ?? [];
    },
    findHolders: async (permission, attribution) => {
      if (scope.kind !== 'system') throw new Error('this is possible within the system scope only');
      await em.flush();
      const rows = await em.execute<HolderRow[]>(SELECT_HOLDERS, [permission, ...placesOf(attribution)]);
      return rows.map(({ id, email, name }) => ({ userId: id, email, name }));
    },
  };
}

const HOLD_EMAIL = `select pg_advisory_xact_lock(hashtextextended('email ' || ?, 0))`;

const HOLD_ADMINISTRATORS = `select pg_advisory_xact_lock(hashtextextended('administrators', 0))`;

interface HolderRow {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
}

/**
 * Whether the user `u` of an organization or partner reaches a tenant. This is `isWithinReach` in SQL, and
 * `placesOf` gives its parameters.
 */
export const REACHES_TENANT = `
  (u.org_id = ?
    or (u.scope = 'partner' and not u.has_org_subset
        and u.partner_id = coalesce((select o.partner_id from organization o where o.id = ?), ?))
    or exists (
      select 1 from app_user_organization uo join organization o on o.id = uo.org_id
      where uo.user_id = u.id and u.has_org_subset and uo.org_id = ? and o.partner_id = u.partner_id))`;

export function placesOf({ orgId, partnerId }: Attribution): readonly (string | null)[] {
  return [orgId, orgId, orgId === null ? partnerId : null, orgId];
}

const SELECT_HOLDERS = `
  select u.id, u.email, u.name from app_user u
  where u.status = 'active' and ? = any(u.permissions) and ${REACHES_TENANT}
  order by u.id`;
