/** Tables session and refresh_token. */
import { defineEntity, p } from '@mikro-orm/core';
import type { Session } from '#domain/access/session.ts';
import type { SessionId } from '#domain/ids.ts';
import { UserRow } from './user-row.ts';

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
    createdAt: new Date(session.createdAt),
    lastUsedAt: new Date(session.lastUsedAt),
    ip: session.ip,
    userAgent: session.userAgent,
    expiresAt: new Date(session.expiresAt),
    endedAt: session.endedAt === null ? null : new Date(session.endedAt),
  };
}
