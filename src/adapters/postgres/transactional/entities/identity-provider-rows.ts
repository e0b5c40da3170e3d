import { defineEntity, p } from '@mikro-orm/core';
import type {
  FederatedIdentity,
  IdentityProvider,
  ProviderDomain,
  ProviderSettings,
} from '#domain/access/identity-provider.ts';
import { idsOfOwner } from '#domain/access/ownership.ts';
import type { IdentityProviderId, OrgId, PartnerId } from '#domain/ids.ts';
import { ownerOf } from './fleet-rows.ts';
import { UserRow } from './user-rows.ts';

const IdentityProviderSchema = defineEntity({
  name: 'IdentityProviderRow',
  tableName: 'identity_provider',
  properties: {
    id: p.uuid().$type<IdentityProviderId>().primary(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable(),
    name: p.text(),
    issuer: p.text(),
    clientId: p.text(),
    clientSecret: p.text().strictNullable(),
    provisions: p.boolean(),
    permissions: p.array(),
    groupsClaim: p.text().strictNullable(),
    groups: p.json<ProviderSettings['groups']>(),
    trustsMfa: p.boolean(),
    acrValues: p.json<ProviderSettings['acrValues']>(),
    createdAt: p.datetime(3),
  },
});

export class IdentityProviderRow extends IdentityProviderSchema.class {}
IdentityProviderSchema.setClass(IdentityProviderRow);

const ProviderDomainSchema = defineEntity({
  name: 'ProviderDomainRow',
  tableName: 'identity_provider_domain',
  properties: {
    provider: () => p.manyToOne(IdentityProviderRow).primary(),
    domain: p.text().primary(),
    isVerified: p.boolean(),
  },
});

export class ProviderDomainRow extends ProviderDomainSchema.class {}
ProviderDomainSchema.setClass(ProviderDomainRow);

const FederatedIdentitySchema = defineEntity({
  name: 'FederatedIdentityRow',
  tableName: 'federated_identity',
  properties: {
    provider: () => p.manyToOne(IdentityProviderRow).primary(),
    subject: p.text().primary(),
    user: () => p.manyToOne(UserRow),
    isMade: p.boolean(),
    createdAt: p.datetime(3),
    lastSignInAt: p.datetime(3).strictNullable(),
  },
});

export class FederatedIdentityRow extends FederatedIdentitySchema.class {}
FederatedIdentitySchema.setClass(FederatedIdentityRow);

export function toIdentityProvider(
  row: IdentityProviderRow,
  domains: readonly ProviderDomain[],
): IdentityProvider {
  const { id, name, issuer, clientId, provisions, groupsClaim, trustsMfa } = row;
  return {
    ...{ id, owner: ownerOf(row), name, issuer, clientId, domains, provisions },
    permissions: [...row.permissions],
    groupsClaim,
    groups: structuredClone(row.groups),
    trustsMfa,
    acrValues: [...row.acrValues],
    createdAt: row.createdAt.getTime(),
  };
}

export function toSettingsColumns(provider: IdentityProvider) {
  const { name, clientId, provisions, permissions, groupsClaim, groups, trustsMfa, acrValues } = provider;
  return {
    ...{ name, clientId, provisions, groupsClaim, groups, trustsMfa, acrValues },
    permissions: [...permissions],
  };
}

export function toIdentityProviderRow(provider: IdentityProvider, clientSecret: string) {
  return {
    id: provider.id,
    ...idsOfOwner(provider.owner),
    ...toSettingsColumns(provider),
    issuer: provider.issuer,
    clientSecret,
    createdAt: new Date(provider.createdAt),
  };
}

export function toFederatedIdentity(row: FederatedIdentityRow): FederatedIdentity {
  return {
    providerId: row.provider.id,
    subject: row.subject,
    userId: row.user.id,
    isMade: row.isMade,
    createdAt: row.createdAt.getTime(),
    lastSignInAt: row.lastSignInAt?.getTime() ?? null,
  };
}

export function toFederatedIdentityRow(identity: FederatedIdentity) {
  const { providerId, subject, userId, isMade, createdAt, lastSignInAt } = identity;
  return {
    ...{ provider: providerId, subject, user: userId, isMade },
    createdAt: new Date(createdAt),
    lastSignInAt: lastSignInAt === null ? null : new Date(lastSignInAt),
  };
}
