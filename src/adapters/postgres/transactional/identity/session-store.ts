import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  RefreshTokenRow,
  SessionRow,
  toSession,
  toSessionRow,
  UserRow,
} from '#adapters/postgres/transactional/entities/user-rows.ts';
import { FOR_UPDATE, type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type {
  RefreshTokenState,
  SessionReader,
  SessionWriter,
} from '#application/ports/auth/stores/session-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import {
  isLive,
  REFRESH_TOKEN_LIFETIME_MS,
  REUSE_MS,
  SESSION_KEPT_MS,
  type Session,
} from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export function makeSessionReader(orm: Orm): SessionReader {
  return {
    listLive: (userId, at, limit, scope = SYSTEM_SCOPE) =>
      orm.withScope(scope, async (em) => {
        const one = { id: userId, status: 'active' as const, ...withinReach(scope) };
        const user = await em.findOne(UserRow, one, { fields: ['authEpoch'] });
        if (user === null) return [];
        const { authEpoch } = user;
        const isLive = { endedAt: null, expiresAt: { $gt: new Date(at) } };
        const orderBy = { lastUsedAt: 'desc', id: 'desc' } as const;
        const rows = await em.find(SessionRow, { user: userId, authEpoch, ...isLive }, { orderBy, limit });
        return rows.map(toSession);
      }),
    findProvenAt: (userId, id) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const row = await em.findOne(SessionRow, { id, user: userId }, { fields: ['provenAt'] });
        return row?.provenAt?.getTime() ?? null;
      }),
  };
}

export function sessionWriter(em: EntityManager, scope: AccessScope): SessionWriter {
  return {
    add: async (session, tokenSha256) => {
      if (scope.kind !== 'system') throw new Error('new sessions need the system scope');
      // The lock makes an erasure or a change of password wait.
      const user = await em.findOne(
        UserRow,
        { id: session.userId, status: 'active', authEpoch: session.authEpoch },
        { fields: ['id'], lockMode: LockMode.PESSIMISTIC_READ },
      );
      if (user === null) return false;
      await clearSessions(em, session);
      const row = em.create(SessionRow, toSessionRow(session));
      const { createdAt } = row;
      em.create(RefreshTokenRow, { tokenSha256, session: row, createdAt, usedAt: null, salt: null });
      return true;
    },

    findRefreshToken: async (tokenSha256) => {
      const token = await em.findOne(
        RefreshTokenRow,
        { tokenSha256 },
        // Skips a locked token: another request is using it.
        { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, refresh: true },
      );
      if (token === null) return (await em.count(RefreshTokenRow, { tokenSha256 })) === 0 ? null : 'in-use';
      const session = await em.findOne(SessionRow, { id: token.session.id }, FOR_UPDATE);
      return session === null ? null : stateOf(em, token, session);
    },

    holdRefreshToken: async (tokenSha256) => {
      const known = await em.findOne(RefreshTokenRow, { tokenSha256 });
      // Locks the session before its tokens, as its removal does, so they cannot deadlock.
      const session =
        known === null ? null : await em.findOne(SessionRow, { id: known.session.id }, FOR_UPDATE);
      const token = await em.findOne(RefreshTokenRow, { tokenSha256 }, FOR_UPDATE);
      return session === null || token === null ? null : stateOf(em, token, session);
    },

    rotate: async ({ id, lastUsedAt, ip, userAgent, expiresAt }, { used, next, salt = null }, at) => {
      const usedAt = new Date(at);
      const token = await em.findOneOrFail(RefreshTokenRow, used);
      const session = await em.findOneOrFail(SessionRow, id);
      Object.assign(token, { usedAt, salt });
      Object.assign(session, {
        lastUsedAt: new Date(lastUsedAt),
        ip,
        userAgent,
        expiresAt: new Date(expiresAt),
      });
      em.create(RefreshTokenRow, { tokenSha256: next, session, createdAt: usedAt, usedAt: null, salt: null });
      const expired = new Date(at - REFRESH_TOKEN_LIFETIME_MS);
      await em.nativeDelete(RefreshTokenRow, { session: id, usedAt: { $lte: expired } });
      const past = new Date(at - REUSE_MS.cookie);
      await em.nativeUpdate(
        RefreshTokenRow,
        { session: id, usedAt: { $lte: past }, salt: { $ne: null } },
        { salt: null },
      );
    },

    end: (id, at) => endSession(em, id, at),

    endByRefreshToken: async (tokenSha256, at) => {
      const token = await em.findOne(RefreshTokenRow, tokenSha256);
      return token === null ? null : endSession(em, token.session.id, at);
    },

    endOthers: async (userId, kept, at) => {
      await em.flush();
      const isOther = kept === null ? {} : { id: { $ne: kept } };
      return em.nativeUpdate(
        SessionRow,
        { user: userId, endedAt: null, ...isOther },
        { endedAt: new Date(at) },
      );
    },

    holdLive: async (userId, id, at) => {
      const row = await em.findOne(SessionRow, { id, user: userId }, FOR_UPDATE);
      return row !== null && isLive(toSession(row), at);
    },

    setMfa: async (userId, id, { verifiedAt, epoch }, provenAt) => {
      const row = await em.findOne(SessionRow, { id, user: userId }, FOR_UPDATE);
      if (row === null) return;
      row.mfaVerifiedAt = new Date(verifiedAt);
      row.mfaEpoch = epoch;
      if (provenAt !== undefined) row.provenAt = new Date(provenAt);
    },
  };
}

/**
 * Removes old sessions of this user, and a few of other users, who may never return. Their refresh tokens are
 * deleted too.
 */
async function clearSessions(em: EntityManager, { userId, createdAt }: Session): Promise<void> {
  const over = new Date(createdAt - SESSION_KEPT_MS);
  await em.nativeDelete(SessionRow, {
    user: userId,
    $or: [{ endedAt: { $lte: over } }, { endedAt: null, expiresAt: { $lte: over } }],
  });
  await em.execute(CLEAR, [over, CLEARED_PER_SIGN_IN]);
}

const CLEARED_PER_SIGN_IN = 10;

const CLEAR = `
  delete from session where id in (
    select id from session where coalesce(ended_at, expires_at) <= ?
    order by coalesce(ended_at, expires_at) limit ? for update skip locked)`;

async function stateOf(
  em: EntityManager,
  { usedAt, salt }: RefreshTokenRow,
  session: SessionRow,
): Promise<RefreshTokenState> {
  const user = await em.findOne(
    UserRow,
    { id: session.user.id, status: 'active' },
    { fields: ['authEpoch'] },
  );
  return {
    session: toSession(session),
    usedAt: usedAt === null ? null : usedAt.getTime(),
    salt,
    userAuthEpoch: user?.authEpoch ?? null,
  };
}

async function endSession(em: EntityManager, id: SessionId, at: EpochMs): Promise<UserId | null> {
  const row = await em.findOne(SessionRow, { id, endedAt: null }, FOR_UPDATE);
  if (row === null) return null;
  row.endedAt = new Date(at);
  return row.user.id;
}
