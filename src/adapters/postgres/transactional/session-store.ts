/** Sessions and refresh tokens on PostgreSQL, within one transaction. */
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SessionWriter } from '#application/ports/auth/session-store.ts';
import type { Session } from '#domain/access/session.ts';
import type { SessionId } from '#domain/ids.ts';
import { type EpochMs, HOUR_MS } from '#domain/time.ts';
import { RefreshTokenRow, SessionRow, toSession, toSessionRow } from './entities/session-row.ts';
import { UserRow } from './entities/user-row.ts';
import { FOR_UPDATE } from './row-locks.ts';

export function sessionWriter(em: EntityManager): SessionWriter {
  return {
    add: async (session, tokenSha256) => {
      // Held, so that an erasure or a change of password comes either before or after all of this.
      const user = await em.findOne(
        UserRow,
        { id: session.userId, status: 'active', authEpoch: session.authEpoch },
        { fields: ['id'], lockMode: LockMode.PESSIMISTIC_READ },
      );
      if (user === null) return false;
      await clearOldSessions(em, session);
      const row = em.create(SessionRow, toSessionRow(session));
      em.create(RefreshTokenRow, { tokenSha256, session: row, createdAt: row.createdAt, usedAt: null });
      return true;
    },

    findRefreshToken: async (tokenSha256) => {
      const token = await em.findOne(
        RefreshTokenRow,
        { tokenSha256 },
        // Skipped and not waited for: a transaction that holds it is using it at this moment.
        { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, refresh: true },
      );
      if (token === null) return (await em.count(RefreshTokenRow, { tokenSha256 })) === 0 ? null : 'in-use';
      const session = await em.findOne(SessionRow, { id: token.session.id }, FOR_UPDATE);
      if (session === null) return null;
      const user = await em.findOne(
        UserRow,
        { id: session.user.id, status: 'active' },
        { fields: ['authEpoch'] },
      );
      return {
        session: toSession(session),
        isUsed: token.usedAt !== null,
        userAuthEpoch: user?.authEpoch ?? null,
      };
    },

    rotate: async (session, used, next, at) => {
      const usedAt = new Date(at);
      const token = await em.findOneOrFail(RefreshTokenRow, used);
      const row = await em.findOneOrFail(SessionRow, session.id);
      token.usedAt = usedAt;
      row.expiresAt = new Date(session.expiresAt);
      em.create(RefreshTokenRow, { tokenSha256: next, session: row, createdAt: usedAt, usedAt: null });
    },

    end: (id, at) => endSession(em, id, at),

    endByRefreshToken: async (tokenSha256, at) => {
      const token = await em.findOne(RefreshTokenRow, tokenSha256);
      if (token !== null) await endSession(em, token.session.id, at);
    },

    setMfa: async (userId, id, { verifiedAt, epoch }) => {
      const row = await em.findOne(SessionRow, { id, user: userId }, FOR_UPDATE);
      if (row === null) return;
      row.mfaVerifiedAt = new Date(verifiedAt);
      row.mfaEpoch = epoch;
    },
  };
}

/** Clears away the user's sessions that expired before this one began, or ended an hour before it. */
async function clearOldSessions(em: EntityManager, { userId, createdAt }: Session): Promise<void> {
  await em.nativeDelete(SessionRow, {
    user: userId,
    $or: [{ expiresAt: { $lte: new Date(createdAt) } }, { endedAt: { $lte: new Date(createdAt - HOUR_MS) } }],
  });
}

async function endSession(em: EntityManager, id: SessionId, at: EpochMs): Promise<void> {
  const row = await em.findOne(SessionRow, { id, endedAt: null }, FOR_UPDATE);
  if (row !== null) row.endedAt = new Date(at);
}
