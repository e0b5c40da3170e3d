import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import type { DeletionTables } from '#adapters/memory/tables/deletion-tables.ts';
import { withoutTexts } from '#domain/deletion/deletion-request.ts';
import type { UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * Erases a person from every table of the world. The tombstone here is only the id. The caller withdraws their mail.
 * See `AccountEraser`.
 */
export function eraseAccount(
  access: AccessTables,
  deletion: DeletionTables,
  userId: UserId,
  now: EpochMs,
): void {
  const tables = { ...access, ...deletion };
  const user = tables.users.get(userId);
  if (user === null) return;
  tables.users.delete(userId);
  tables.erasedUsers.set(userId, now);
  const email = foldCase(user.email);
  if (tables.userIdsByEmail.get(email) === userId) tables.userIdsByEmail.delete(email);
  tables.mfaEnrollments.delete(userId);
  tables.recoveryCodes.delete(userId);
  tables.ownNetworks.delete(userId);
  const sessionIds = new Set(
    [...tables.sessions.entries()].filter(([, session]) => session.userId === userId).map(([id]) => id),
  );
  for (const id of sessionIds) tables.sessions.delete(id);
  for (const [token, { sessionId }] of [...tables.refreshTokens.entries()]) {
    if (sessionIds.has(sessionId)) tables.refreshTokens.delete(token);
  }
  for (const [id, key] of [...tables.apiKeys.entries()]) {
    if (key.userId !== userId) continue;
    tables.apiKeys.delete(id);
    tables.apiKeyIdsBySha256.delete(key.sha256);
  }
  for (const [id, stored] of [...tables.requests.entries()]) {
    const { request } = stored;
    if (request.userId === userId) tables.requests.set(id, { ...stored, request: withoutTexts(request) });
  }
}
