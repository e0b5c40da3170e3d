/** Identity providers of organizations and partners (OpenID Connect; Contract: §16). */
import type { Membership, Owner } from '#domain/fleet/fleet-record.ts';
import type { IdentityProviderId, OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';
import type { IdTokenFacts } from './id-token.ts';
import type { Rights } from './rights.ts';

/** An email domain of a provider. It has no effect until it is verified, and only one provider can verify it. */
export interface ProviderDomain {
  /** In lower case and Punycode. */
  readonly domain: string;
  readonly isVerified: boolean;
}

export interface GroupRights {
  /** A value of the groups claim, compared with its case. */
  readonly group: string;
  readonly permissions: readonly string[];
  /** Null: all of the partner's organizations, future ones included. Ignored for a provider of an organization. */
  readonly orgIds: readonly OrgId[] | null;
}

/** A provider's settings, without the client secret. */
export interface ProviderSettings {
  readonly name: string;
  readonly clientId: string;
  readonly domains: readonly ProviderDomain[];
  /** Whether new people get an account at their first sign-in. */
  readonly provisions: boolean;
  /** What created people may do if none of `groups` is theirs. */
  readonly permissions: readonly string[];
  /** The name of the claim with the groups, or a path to it such as `realm_access.roles`. */
  readonly groupsClaim: string | null;
  readonly groups: readonly GroupRights[];
  /** Whether a second factor at the provider counts as MFA here. */
  readonly trustsMfa: boolean;
  /** Values of the `acr` claim that stand for a second factor. */
  readonly acrValues: readonly string[];
}

export interface IdentityProvider extends ProviderSettings {
  readonly id: IdentityProviderId;
  readonly owner: Owner;
  readonly issuer: string;
  readonly createdAt: EpochMs;
}

/** Links a user to a person at a provider. The `sub` identifies the person, never an email. */
export interface FederatedIdentity {
  readonly providerId: IdentityProviderId;
  readonly subject: string;
  readonly userId: UserId;
  /** True if the provider created the person and decides about their rights; false if they linked their account. */
  readonly isMade: boolean;
  readonly createdAt: EpochMs;
  readonly lastSignInAt: EpochMs | null;
}

/** How long a person may take at the provider before coming back. */
export const PROVIDER_VISIT_MS = 10 * MINUTE_MS;

/** The widest membership that a provider of this owner can give. */
export function ceilingOf(owner: Owner): Membership {
  return owner.kind === 'organization'
    ? { scope: 'organization', orgId: owner.orgId }
    : { scope: 'partner', partnerId: owner.partnerId, orgIds: null };
}

/**
 * The rights of a person whom the provider created, by the token of this sign-in. `ofPartner` are the current
 * organizations of the provider's partner; other organizations of a group are dropped.
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

/** All rights that the provider can give. Only people who hold them may set it up. */
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
 * Whether the provider may sign in this person. Its administrators could act as anyone it signs in, so it signs in
 * only people of its own organization or partner, and never platform administrators. `partnerId` is the partner of
 * the person's organization; null if there is none.
 */
export function maySignIn(
  owner: Owner,
  { membership, isPlatformAdmin }: Pick<Rights, 'membership' | 'isPlatformAdmin'>,
  partnerId: PartnerId | null,
): boolean {
  if (isPlatformAdmin) return false;
  switch (membership.scope) {
    case 'system':
      return false;
    case 'organization':
      return owner.kind === 'organization' ? owner.orgId === membership.orgId : owner.partnerId === partnerId;
    case 'partner':
      return owner.kind === 'partner' && owner.partnerId === membership.partnerId;
  }
}

/** Whether the sign-in was with a second factor that counts here. */
export function countsAsMfa(
  { trustsMfa, acrValues }: Pick<ProviderSettings, 'trustsMfa' | 'acrValues'>,
  { amr, acr }: IdTokenFacts,
): boolean {
  if (!trustsMfa) return false;
  return amr.some((method) => MFA_METHODS.has(method)) || (acr !== null && acrValues.includes(acr));
}

/** Values of `amr` that stand for a second factor (RFC 8176). `hwk` is a hardware key. */
const MFA_METHODS: ReadonlySet<string> = new Set(['mfa', 'hwk', 'otp']);

/** Whether the person signed in anew during this visit (`fresh=true`). The clocks may differ by a few seconds. */
export function isFreshSignIn({ signedInAt }: IdTokenFacts, since: EpochMs): boolean {
  return signedInAt !== null && signedInAt >= since - CLOCK_SKEW_MS;
}

const CLOCK_SKEW_MS = 5_000;
