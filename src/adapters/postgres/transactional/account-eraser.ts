/** Erases a person from every table that holds something of theirs; a test walks the schema for what is left. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#application/ports/clock.ts';
import type { UserId } from '#domain/ids.ts';
import { ApiKeyRow } from './entities/api-key-row.ts';
import { DeletionRequestRow } from './entities/deletion-request-row.ts';
import { MfaEnrollmentRow, RecoveryCodeRow } from './entities/mfa-row.ts';
import { OwnNetworkRow } from './entities/own-network-row.ts';
import { SessionRow } from './entities/session-row.ts';
import { UserOrganizationRow, type UserRow } from './entities/user-row.ts';
import { withdrawMail } from './mail-queue.ts';
import { holdUser } from './row-locks.ts';

/** Within the system scope; see `AccountEraser`. */
export async function eraseAccount(em: EntityManager, userId: UserId, clock: Clock): Promise<void> {
  const now = clock();
  const user = await holdUser(em, userId);
  if (user !== null && user.status !== 'deleted') {
    leaveTombstone(user, new Date(now));
    await em.flush();
  }
  // Set by set, because there can be any number of each; refresh tokens go with their sessions.
  await em.nativeDelete(SessionRow, { user: userId });
  await em.nativeDelete(MfaEnrollmentRow, { user: userId });
  await em.nativeDelete(RecoveryCodeRow, { user: userId });
  await em.nativeDelete(OwnNetworkRow, { user: userId });
  await em.nativeDelete(ApiKeyRow, { user: userId });
  await em.nativeDelete(UserOrganizationRow, { user: userId });
  await em.nativeUpdate(
    DeletionRequestRow,
    { user: userId, $or: [{ reason: { $ne: null } }, { adminNote: { $ne: null } }] },
    { reason: null, adminNote: null },
  );
  await withdrawMail(em, userId, now);
}

function leaveTombstone(user: UserRow, at: Date): void {
  user.email = '';
  user.emailLc = '';
  user.name = '';
  user.passwordHash = null;
  user.permissions = [];
  user.isPlatformAdmin = false;
  user.totpSecret = null;
  user.lastTotpStep = null;
  user.status = 'deleted';
  user.authEpoch += 1;
  user.mfaEpoch += 1;
  user.updatedAt = at;
}
