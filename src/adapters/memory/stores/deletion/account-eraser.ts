import { identityKey } from '#adapters/memory/stores/identity/identity-provider-store.ts';
import { passkeysOf } from '#adapters/memory/stores/identity/passkey-stores.ts';
import { removeSessions } from '#adapters/memory/stores/identity/session-store.ts';
import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import { withoutTexts } from '#domain/deletion/deletion-request.ts';
import type { UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';

/** Leaves the mails to the caller. Only the user's id and the time of erasure remain. */
export function eraseAccount(tables: StagedTables, userId: UserId, now: EpochMs): void {
  const user = tables.users.get(userId);
  if (user === null) return;
  tables.users.delete(userId);
  tables.erasedUsers.set(userId, now);
  const email = foldCase(user.email);
  if (tables.userIdsByEmail.get(email) === userId) tables.userIdsByEmail.delete(email);
  tables.mfaEnrollments.delete(userId);
  tables.recoveryCodes.delete(userId);
  tables.ownNetworks.delete(userId);
  for (const link of [...tables.links.values()])
    if (link.userId === userId) tables.links.delete(link.tokenSha256);
  for (const [id, request] of [...tables.resetRequests.entries()])
    if (request.userId === userId) tables.resetRequests.delete(id);
  const sessions = tables.sessions.values().filter((session) => session.userId === userId);
  removeSessions(tables, new Set(sessions.map(({ id }) => id)));
  for (const identity of [...tables.federatedIdentities.values()])
    if (identity.userId === userId) tables.federatedIdentities.delete(identityKey(identity));
  for (const { id } of passkeysOf(tables, userId)) tables.passkeys.delete(id);
  for (const [id, key] of [...tables.apiKeys.entries()]) {
    if (key.userId !== userId) continue;
    tables.apiKeys.delete(id);
    tables.apiKeyIdsBySha256.delete(key.sha256);
  }
  for (const subscription of [...tables.subscriptions.values()]) {
    const recipients = subscription.recipients?.filter((id) => id !== userId) ?? null;
    if (recipients !== null && recipients.length < (subscription.recipients?.length ?? 0))
      tables.subscriptions.set(subscription.id, Object.freeze({ ...subscription, recipients }));
  }
  for (const [id, stored] of [...tables.deletionRequests.entries()]) {
    const { request } = stored;
    if (request.userId === userId)
      tables.deletionRequests.set(id, { ...stored, request: withoutTexts(request) });
  }
}
