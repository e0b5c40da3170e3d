import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type {
  RefreshTokenState,
  SessionReader,
  SessionWriter,
} from '#application/ports/auth/stores/session-store.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { attributionOf, isWithinReach } from '#domain/access/ownership.ts';
import {
  canForgetSession,
  isLive,
  REFRESH_TOKEN_LIFETIME_MS,
  REUSE_MS,
  type Session,
} from '#domain/access/session.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export function makeSessionReader(world: Pick<World, 'sessions' | 'users'>): SessionReader {
  return {
    async listLive(userId, at, limit, scope = SYSTEM_SCOPE) {
      const user = world.users.get(userId);
      if (user?.status !== 'active' || !isWithinReach(scope, attributionOf(user.membership))) return [];
      return [...world.sessions.values()]
        .filter(
          (session) =>
            session.userId === userId && session.authEpoch === user.authEpoch && isLive(session, at),
        )
        .sort((a, b) => b.lastUsedAt - a.lastUsedAt || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(copySession);
    },
    async findProvenAt(userId, id) {
      const session = world.sessions.get(id);
      return session?.userId === userId ? session.provenAt : null;
    },
  };
}

/** Transactions run one at a time, so a token is never found locked. */
export function makeSessionWriter(tables: StagedTables): SessionWriter {
  const end = (id: SessionId, endedAt: EpochMs): UserId | null => {
    const session = tables.sessions.get(id);
    if (session === null || session.endedAt !== null) return null;
    tables.sessions.set(id, { ...session, endedAt });
    return session.userId;
  };
  const authEpochOf = (userId: UserId): number | null => {
    const user = tables.users.get(userId);
    return user?.status === 'active' ? user.authEpoch : null;
  };
  const find = (tokenSha256: string): RefreshTokenState | null => {
    const token = tables.refreshTokens.get(tokenSha256);
    const session = token === null ? null : tables.sessions.get(token.sessionId);
    if (token === null || session === null) return null;
    const { usedAt, salt } = token;
    return { session: copySession(session), usedAt, salt, userAuthEpoch: authEpochOf(session.userId) };
  };
  return {
    async add(session, tokenSha256) {
      if (authEpochOf(session.userId) !== session.authEpoch) return false;
      clearSessions(tables, session.createdAt);
      tables.sessions.set(session.id, copySession(session));
      tables.refreshTokens.set(tokenSha256, { sessionId: session.id, usedAt: null, salt: null });
      return true;
    },
    async findRefreshToken(tokenSha256) {
      return find(tokenSha256);
    },
    async holdRefreshToken(tokenSha256) {
      return find(tokenSha256);
    },
    async rotate({ id, lastUsedAt, ip, userAgent, expiresAt }, { used, next, salt = null }, usedAt) {
      const session = tables.sessions.get(id);
      if (session === null) throw new Error(`there is no session ${id}`);
      tables.sessions.set(id, { ...session, lastUsedAt, ip, userAgent, expiresAt });
      tables.refreshTokens.set(used, { sessionId: id, usedAt, salt });
      tables.refreshTokens.set(next, { sessionId: id, usedAt: null, salt: null });
      clearSpentTokens(tables, id, usedAt);
    },
    async end(id, at) {
      return end(id, at);
    },
    async endByRefreshToken(tokenSha256, at) {
      const token = tables.refreshTokens.get(tokenSha256);
      return token === null ? null : end(token.sessionId, at);
    },
    async endOthers(userId, kept, at) {
      const others = [...tables.sessions.entries()].filter(
        ([id, session]) => session.userId === userId && id !== kept && end(id, at) !== null,
      );
      return others.length;
    },
    async holdLive(userId, id, at) {
      const session = tables.sessions.get(id);
      return session?.userId === userId && isLive(session, at);
    },
    async setMfa(userId, id, mfa, provenAt) {
      const session = tables.sessions.get(id);
      if (session?.userId !== userId) return;
      tables.sessions.set(id, { ...session, mfa: { ...mfa }, provenAt: provenAt ?? session.provenAt });
    },
  };
}

function clearSessions(tables: StagedTables, now: EpochMs): void {
  const forgotten = new Set(
    tables.sessions
      .values()
      .filter((session) => canForgetSession(session, now))
      .map(({ id }) => id),
  );
  if (forgotten.size > 0) removeSessions(tables, forgotten);
}

export function removeSessions(tables: StagedTables, ids: ReadonlySet<SessionId>): void {
  for (const id of ids) tables.sessions.delete(id);
  for (const [token, { sessionId }] of [...tables.refreshTokens.entries()]) {
    if (ids.has(sessionId)) tables.refreshTokens.delete(token);
  }
}

/** Deletes expired tokens, and the salts of tokens that can no longer be used again. */
function clearSpentTokens(tables: StagedTables, id: SessionId, now: EpochMs): void {
  for (const [token, stored] of [...tables.refreshTokens.entries()]) {
    if (stored.sessionId !== id || stored.usedAt === null) continue;
    if (stored.usedAt <= now - REFRESH_TOKEN_LIFETIME_MS) tables.refreshTokens.delete(token);
    else if (stored.usedAt <= now - REUSE_MS.cookie)
      tables.refreshTokens.set(token, { ...stored, salt: null });
  }
}

function copySession(session: Session): Session {
  return { ...session, mfa: session.mfa === null ? null : { ...session.mfa } };
}
