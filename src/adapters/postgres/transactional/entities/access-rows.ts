/** Tables that say who may come in and how far: app_user, app_user_organization, api_key, organization, signing_key. */
import { defineEntity, p } from '@mikro-orm/core';

export const OrganizationRow = defineEntity({
  name: 'OrganizationRow',
  tableName: 'organization',
  properties: { id: p.uuid().primary(), partnerId: p.uuid(), name: p.text() },
});

export const PartnerRow = defineEntity({
  name: 'PartnerRow',
  tableName: 'partner',
  properties: { id: p.uuid().primary(), name: p.text() },
});

export const UserRow = defineEntity({
  name: 'UserRow',
  tableName: 'app_user',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    emailLc: p.text(),
    name: p.text(),
    passwordHash: p.text().nullable(),
    scope: p.text().$type<'organization' | 'partner' | 'system'>(),
    orgId: p.uuid().nullable(),
    partnerId: p.uuid().nullable(),
    hasOrgSubset: p.boolean(),
    permissions: p.array(),
    isPlatformAdmin: p.boolean(),
    totpSecret: p.text().nullable(),
    status: p.text().$type<'active' | 'disabled' | 'deleted'>(),
    authEpoch: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export const UserOrganizationRow = defineEntity({
  name: 'UserOrganizationRow',
  tableName: 'app_user_organization',
  properties: { userId: p.uuid().primary(), orgId: p.uuid().primary() },
});

export const ApiKeyRow = defineEntity({
  name: 'ApiKeyRow',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    keySha256: p.text(),
    userId: p.uuid(),
    name: p.text(),
    orgId: p.uuid().nullable(),
    permissions: p.array(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

export const SigningKeyRow = defineEntity({
  name: 'SigningKeyRow',
  tableName: 'signing_key',
  properties: { kid: p.text().primary(), privateJwk: p.text(), createdAt: p.datetime(3) },
});
