/**
 * Tables app_user and app_user_organization, the subset of a partner's organizations. The user's tenant is plain ids,
 * because it is compared with a scope and never followed.
 */
import { defineEntity, p } from '@mikro-orm/core';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { OrgId, PartnerId, UserId } from '#domain/ids.ts';
import { OrganizationRow } from './organization-row.ts';

const UserSchema = defineEntity({
  name: 'UserRow',
  tableName: 'app_user',
  properties: {
    id: p.uuid().$type<UserId>().primary(),
    email: p.text(),
    emailLc: p.text(),
    name: p.text(),
    passwordHash: p.text().strictNullable(),
    passwordEpoch: p.integer(),
    scope: p.text().$type<AccessScope['kind']>(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable(),
    hasOrgSubset: p.boolean(),
    permissions: p.array(),
    isPlatformAdmin: p.boolean(),
    totpSecret: p.text().strictNullable(),
    lastTotpStep: p.integer().strictNullable(),
    mfaEpoch: p.integer(),
    status: p.text().$type<'active' | 'disabled' | 'deleted'>(),
    authEpoch: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export class UserRow extends UserSchema.class {}
UserSchema.setClass(UserRow);

const UserOrganizationSchema = defineEntity({
  name: 'UserOrganizationRow',
  tableName: 'app_user_organization',
  properties: {
    user: () => p.manyToOne(UserRow).primary(),
    org: () => p.manyToOne(OrganizationRow).primary(),
  },
});

export class UserOrganizationRow extends UserOrganizationSchema.class {}
UserOrganizationSchema.setClass(UserOrganizationRow);
