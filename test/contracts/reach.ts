/** Whose things each scope reaches: the matrix that the suites about tenants go through. */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId } from '#domain/ids.ts';
import { newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { createTenant, type FleetTarget, type Tenant } from '#test/support/tenant.ts';

/** Two organizations of a partner, and one of another. */
export interface Tenants {
  readonly tenant: Tenant;
  readonly stranger: Tenant;
  readonly one: OrgId;
  readonly two: OrgId;
}

/** Scopes, with the owners that they reach: organizations and, for things that partners can own, partners. */
export const REACH: readonly (readonly [string, (tenants: Tenants) => AccessScope, readonly string[]])[] = [
  ['an organization', ({ one }) => orgScope(one), ['one', 'partner']],
  ['its neighbour', ({ two }) => orgScope(two), ['partner', 'two']],
  ["another partner's organization", ({ stranger }) => orgScope(stranger.orgId), ['other', 'stranger']],
  ['an organization that does not exist', () => orgScope(newId()), []],
  [
    'the whole partner',
    ({ tenant }) => partnerScope(tenant.partnerId, tenant.orgIds),
    ['one', 'partner', 'two'],
  ],
  ["a partner's subset", ({ tenant, two }) => subsetScope(tenant, [two]), ['partner', 'two']],
  ['an organization named twice', ({ tenant, two }) => subsetScope(tenant, [two, two]), ['partner', 'two']],
  ["none of a partner's organizations", ({ tenant }) => subsetScope(tenant, []), []],
  [
    'a whole partner that has no organization',
    ({ tenant }) => partnerScope(tenant.partnerId, []),
    ['partner'],
  ],
  ['a partner that does not exist', () => partnerScope(newId(), []), []],
  ['the system', () => SYSTEM_SCOPE, ['one', 'other', 'partner', 'stranger', 'two']],
];

/** New tenants that no other test uses. */
export async function createTenants(target: FleetTarget): Promise<Tenants> {
  const tenant = await createTenant(target, 2);
  const stranger = await createTenant(target);
  const [one, two] = tenant.orgIds as [OrgId, OrgId];
  return { tenant, stranger, one, two };
}

/** The organizations and the partners by the names that `REACH` has for them. */
export function namedOwners({ tenant, stranger, one, two }: Tenants) {
  return {
    orgs: { one, two, stranger: stranger.orgId },
    partners: { partner: tenant.partnerId, other: stranger.partnerId },
  };
}

function subsetScope({ partnerId }: Tenant, orgIds: readonly OrgId[]): AccessScope {
  return { kind: 'partner', partnerId, orgIds, isWhole: false };
}
