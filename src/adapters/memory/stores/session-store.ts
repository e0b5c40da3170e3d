/** Sessions and refresh tokens in the world, within one transaction. */
import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import type { SessionWriter } from '#application/ports/auth/session-store.ts';
import type { Session } from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import { type EpochMs, HOUR_MS } from '#domain/time.ts';

/** Transactions run one at a time, so that no token is ever found in use. */
export function makeSessionWriter(tables: AccessTables): SessionWriter {
  const end = (id: SessionId, endedAt: EpochMs) => {
    const session = tables.sessions.get(id);
    if (session !== null && session.endedAt === null) tables.sessions.set(id, { ...session, endedAt });
  };
  /** Null where the user is not active. */
  const authEpochOf = (userId: UserId): number | null => {
    const user = tables.users.get(userId);
    return user?.status === 'active' ? user.authEpoch : null;
  };
  return {
    async add(session, tokenSha256) {
      if (authEpochOf(session.userId) !== session.authEpoch) return false;
      clear(tables, session.userId, session.createdAt);
      tables.sessions.set(session.id, copySession(session));
      tables.refreshTokens.set(tokenSha256, { sessionId: session.id, isUsed: false });
      return true;
    },
    async findRefreshToken(tokenSha256) {
      const token = tables.refreshTokens.get(tokenSha256);
      const session = token === null ? null : tables.sessions.get(token.sessionId);
      if (token === null || session === null) return null;
      return {
        session: copySession(session),
        isUsed: token.isUsed,
        userAuthEpoch: authEpochOf(session.userId),
      };
    },
    async rotate({ id, expiresAt }, used, next) {
      const session = tables.sessions.get(id);
      if (session === null) throw new Error(`there is no session ${id}`);
      tables.sessions.set(id, { ...session, expiresAt });
      tables.refreshTokens.set(used, { sessionId: id, isUsed: true });
      tables.refreshTokens.set(next, { sessionId: id, isUsed: false });
    },
    async end(id, at) {
      end(id, at);
    },
    async endByRefreshToken(tokenSha256, at) {
      const token = tables.refreshTokens.get(tokenSha256);
      if (token !== null) end(token.sessionId, at);
    },
    async setMfa(userId, id, mfa) {
      const session = tables.sessions.get(id);
      if (session?.userId === userId) tables.sessions.set(id, { ...session, mfa: { ...mfa } });
    },
  };
}

/** A user's sessions that are over, with their tokens. */
function clear(tables: AccessTables, userId: UserId, now: EpochMs): void {
  const over = new Set<SessionId>();
  for (const [id, session] of tables.sessions.entries()) {
    const isOver = session.expiresAt <= now || (session.endedAt !== null && session.endedAt <= now - HOUR_MS);
    if (session.userId === userId && isOver) over.add(id);
  }
  if (over.size === 0) return;
  for (const id of over) tables.sessions.delete(id);
  for (const [token, { sessionId }] of [...tables.refreshTokens.entries()]) {
    if (over.has(sessionId)) tables.refreshTokens.delete(token);
  }
}

function copySession(session: Session): Session {
  return { ...session, mfa: session.mfa === null ? null : { ...session.mfa } };
}
