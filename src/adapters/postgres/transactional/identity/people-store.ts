/** People as administrators see them. Row-level security holds each statement to the administrator's reach. */
import { arrayText } from '#adapters/postgres/derived-columns.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-rows.ts';
import { type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type { PeopleReader } from '#application/ports/people/people-store.ts';
import { comparePeople, type Named, type Person } from '#domain/access/person.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { containsFolded, sortedName } from '#domain/text/fold-case.ts';

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
        // The database does not fold text.
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
  readonly permissions: readonly string[];
  readonly is_platform_admin: boolean;
  readonly status: Person['status'];
  readonly has_totp: boolean;
  /** Epoch milliseconds. */
  readonly signed_in_ms: number | null;
  readonly created_ms: number;
}

interface MembershipColumns {
  readonly org_id: OrgId | null;
  readonly partner_id: PartnerId | null;
  readonly has_org_subset: boolean;
  readonly org_ids: readonly OrgId[];
}

/** A person's latest network outlives their sessions. Sign-ins without an address leave a session only. */
const PEOPLE = `
  select u.id, u.email, u.name, u.org_id, u.partner_id, u.has_org_subset, u.permissions,
    u.is_platform_admin, u.status::text, u.totp_secret is not null as has_totp,
    o.name as organization_name, p.name as partner_name,
    array(select s.org_id::text from app_user_organization s where s.user_id = u.id order by s.org_id) as org_ids,
    (extract(epoch from greatest(
      (select max(n.last_at) from own_network n where n.user_id = u.id),
      (select max(s.created_at) from session s where s.user_id = u.id)
    )) * 1000)::float8 as signed_in_ms,
    (extract(epoch from u.created_at) * 1000)::float8 as created_ms
  from app_user u left join organization o on o.id = u.org_id left join partner p on p.id = u.partner_id
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
    mfa: { totp: row.has_totp, passkeys: 0 },
    identityProvider: null,
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
