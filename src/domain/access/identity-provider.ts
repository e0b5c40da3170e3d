/** Identity providers of organizations and partners (OpenID Connect; Contract: §16). */
import type { Membership, Owner } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';
import type { AccessScope } from './access-scope.ts';
import type { IdTokenFacts } from './id-token.ts';
import { ownerIdOf } from './ownership.ts';
import { mayGive, type Rights } from './rights.ts';

/** A domain has no effect until it is verified, and only one provider can verify it. */
export interface ProviderDomain {
  /** In lower case and Punycode. */
  readonly domain: string;
  readonly isVerified: boolean;
}

export interface GroupRights {
  /** A value of the groups claim, case-sensitive. */
  readonly group: string;
  readonly permissions: readonly string[];
  /** Null: all of the partner's organizations, future ones included. Ignored if an organization owns the provider. */
  readonly orgIds: readonly OrgId[] | null;
}

/** What administrators set, except the client secret. */
export interface ProviderSettings {
  readonly name: string;
  readonly clientId: string;
  readonly domains: readonly ProviderDomain[];
  /** Whether new people get an account at their first sign-in. */
  readonly provisions: boolean;
  /** For people whom the provider creates and who are in none of `groups`. */
  readonly permissions: readonly string[];
  /** The claim with the groups: a name, or a path such as `realm_access.roles`. */
  readonly groupsClaim: string | null;
  readonly groups: readonly GroupRights[];
  /** Whether a second factor at the provider counts as MFA in Fleetsift. */
  readonly trustsMfa: boolean;
  /** `acr` values that stand for a second factor. */
  readonly acrValues: readonly string[];
}

export interface IdentityProvider extends ProviderSettings {
  readonly id: IdentityProviderId;
  readonly owner: Owner;
  readonly issuer: string;
  readonly createdAt: EpochMs;
}

/** A person's account at a provider. The `sub` identifies it, never an email. */
export interface FederatedIdentity {
  readonly providerId: IdentityProviderId;
  readonly subject: string;
  readonly userId: UserId;
  /** True if the provider created the person and sets their rights; false if an existing person linked it. */
  readonly isMade: boolean;
  readonly createdAt: EpochMs;
  readonly lastSignInAt: EpochMs | null;
}

/** How long a person may take to sign in at the provider. */
export const PROVIDER_VISIT_MS = 10 * MINUTE_MS;

/** The widest membership that a provider of this owner can give. */
export function ceilingOf(owner: Owner): Membership {
  return owner.kind === 'organization'
    ? { scope: 'organization', orgId: owner.orgId }
    : { scope: 'partner', partnerId: owner.partnerId, orgIds: null };
}

/**
 * The rights that an ID token gives to a person whom the provider created. `ofPartner` are the partner's
 * current organizations. Other organizations that a group names are ignored.
 */
export function rightsByToken(
  provider: IdentityProvider,
  { groups }: IdTokenFacts,
  ofPartner: readonly OrgId[],
): Rights {
  const held = new Set(groups);
  const matched = provider.groups.filter(({ group }) => held.has(group));
  const permissions =
    matched.length === 0 ? provider.permissions : matched.flatMap((group) => group.permissions);
  return {
    membership: membershipBy(provider.owner, matched, new Set(ofPartner)),
    permissions: [...new Set(permissions)].sort(),
    isPlatformAdmin: false,
  };
}

function membershipBy(
  owner: Owner,
  matched: readonly GroupRights[],
  ofPartner: ReadonlySet<OrgId>,
): Membership {
  const ceiling = ceilingOf(owner);
  if (ceiling.scope !== 'partner' || matched.length === 0) return ceiling;
  const orgIds = new Set<OrgId>();
  for (const group of matched) {
    if (group.orgIds === null) return ceiling;
    for (const orgId of group.orgIds) if (ofPartner.has(orgId)) orgIds.add(orgId);
  }
  return { ...ceiling, orgIds: [...orgIds].sort() };
}

/** All rights that the provider can give. Only people who hold them all may set it up. */
export function rightsOfProvider({
  owner,
  permissions,
  groups,
}: Pick<IdentityProvider, 'owner' | 'permissions' | 'groups'>): Rights {
  const all = [...permissions, ...groups.flatMap((group) => group.permissions)];
  return {
    membership: ceilingOf(owner),
    permissions: [...new Set(all)].sort(),
    isPlatformAdmin: false,
  };
}

/**
 * A provider's administrators could act as anyone whom it signs in. So it signs in only people of the organization or
 * partner that owns it, and never platform administrators. `partnerId` is the partner of the person's organization, if
 * any.
 */
export function maySignIn(
  owner: Owner,
  { membership, isPlatformAdmin }: Pick<Rights, 'membership' | 'isPlatformAdmin'>,
  partnerId: PartnerId | null,
): boolean {
  const isOfPartner = membership.scope === 'organization' && partnerId === ownerIdOf(owner);
  const scope: AccessScope =
    owner.kind === 'organization'
      ? owner
      : { ...owner, orgIds: isOfPartner ? [membership.orgId] : [], isWhole: true };
  const administrator = { scope, permissions: new Set<string>(), isPlatformAdmin: false };
  return mayGive(administrator, { membership, permissions: [], isPlatformAdmin });
}

/** Whether the person used a second factor that counts as MFA in Fleetsift. */
export function countsAsMfa(
  { trustsMfa, acrValues }: Pick<ProviderSettings, 'trustsMfa' | 'acrValues'>,
  { amr, acr }: IdTokenFacts,
): boolean {
  if (!trustsMfa) return false;
  return amr.some((method) => MFA_METHODS.has(method)) || (acr !== null && acrValues.includes(acr));
}

/** `amr` values that stand for a second factor (RFC 8176). `hwk` is a hardware key. */
const MFA_METHODS: ReadonlySet<string> = new Set(['mfa', 'hwk', 'otp']);

/**
 * Whether the person signed in at the provider after `since`, as `fresh=true` demands. Clocks may differ by seconds.
 */
export function isFreshSignIn({ signedInAt }: IdTokenFacts, since: EpochMs): boolean {
  return signedInAt !== null && signedInAt >= since - CLOCK_SKEW_MS;
}

const CLOCK_SKEW_MS = 5_000;
