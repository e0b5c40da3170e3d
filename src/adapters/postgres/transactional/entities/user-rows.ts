/** A user's tenant is stored as plain ids, not as relations, because it is only compared with scopes. */
import { defineEntity, p } from '@mikro-orm/core';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Session } from '#domain/access/session.ts';
import type { UserStatus } from '#domain/fleet/fleet-record.ts';
import type { OrgId, PartnerId, PasskeyId, SessionId, UserId } from '#domain/ids.ts';
import { OrganizationRow } from './fleet-rows.ts';

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
    status: p.text().$type<UserStatus>(),
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

/** The enrollment awaits confirmation. A confirmed second factor is in the user's row. */
const MfaEnrollmentSchema = defineEntity({
  name: 'MfaEnrollmentRow',
  tableName: 'mfa_enrollment',
  properties: {
    user: () => p.oneToOne(UserRow).primary(),
    totpSecret: p.text(),
    startedAt: p.datetime(3),
  },
});

export class MfaEnrollmentRow extends MfaEnrollmentSchema.class {}
MfaEnrollmentSchema.setClass(MfaEnrollmentRow);

const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCodeRow',
  tableName: 'recovery_code',
  properties: {
    user: () => p.manyToOne(UserRow).primary(),
    codeSha256: p.text().primary(),
  },
});

export class RecoveryCodeRow extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCodeRow);

const SessionSchema = defineEntity({
  name: 'SessionRow',
  tableName: 'session',
  properties: {
    id: p.uuid().$type<SessionId>().primary(),
    user: () => p.manyToOne(UserRow),
    authEpoch: p.integer(),
    mfaVerifiedAt: p.datetime(3).strictNullable(),
    mfaEpoch: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3),
    ip: p.text().strictNullable(),
    userAgent: p.text().strictNullable(),
    expiresAt: p.datetime(3),
    endedAt: p.datetime(3).strictNullable(),
    provenAt: p.datetime(3).strictNullable(),
  },
});

export class SessionRow extends SessionSchema.class {}
SessionSchema.setClass(SessionRow);

const RefreshTokenSchema = defineEntity({
  name: 'RefreshTokenRow',
  tableName: 'refresh_token',
  properties: {
    tokenSha256: p.text().primary(),
    session: () => p.manyToOne(SessionRow),
    createdAt: p.datetime(3),
    usedAt: p.datetime(3).strictNullable(),
    salt: p.text().strictNullable(),
  },
});

export class RefreshTokenRow extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshTokenRow);

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    userId: row.user.id,
    authEpoch: row.authEpoch,
    mfa:
      row.mfaVerifiedAt === null || row.mfaEpoch === null
        ? null
        : { verifiedAt: row.mfaVerifiedAt.getTime(), epoch: row.mfaEpoch },
    provenAt: row.provenAt === null ? null : row.provenAt.getTime(),
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt.getTime(),
    ip: row.ip,
    userAgent: row.userAgent,
    expiresAt: row.expiresAt.getTime(),
    endedAt: row.endedAt === null ? null : row.endedAt.getTime(),
  };
}

export function toSessionRow(session: Session) {
  return {
    id: session.id,
    user: session.userId,
    authEpoch: session.authEpoch,
    mfaVerifiedAt: session.mfa === null ? null : new Date(session.mfa.verifiedAt),
    mfaEpoch: session.mfa?.epoch ?? null,
    provenAt: session.provenAt === null ? null : new Date(session.provenAt),
    createdAt: new Date(session.createdAt),
    lastUsedAt: new Date(session.lastUsedAt),
    ip: session.ip,
    userAgent: session.userAgent,
    expiresAt: new Date(session.expiresAt),
    endedAt: session.endedAt === null ? null : new Date(session.endedAt),
  };
}

const PasskeySchema = defineEntity({
  name: 'PasskeyRow',
  tableName: 'passkey',
  properties: {
    id: p.uuid().$type<PasskeyId>().primary(),
    user: () => p.manyToOne(UserRow),
    credentialId: p.text(),
    publicKey: p.text(),
    counter: p.bigint('number'),
    transports: p.array(),
    name: p.text(),
    isBackedUp: p.boolean(),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).strictNullable(),
  },
});

export class PasskeyRow extends PasskeySchema.class {}
PasskeySchema.setClass(PasskeyRow);

const OwnNetworkSchema = defineEntity({
  name: 'OwnNetworkRow',
  tableName: 'own_network',
  properties: {
    user: () => p.manyToOne(UserRow).primary(),
    network: p.text().primary(),
    lastAt: p.datetime(3),
  },
});

export class OwnNetworkRow extends OwnNetworkSchema.class {}
OwnNetworkSchema.setClass(OwnNetworkRow);
