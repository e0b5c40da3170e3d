/** Erases a person from every table. A test walks the schema for remains. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiKeyRow } from '#adapters/postgres/transactional/entities/api-key-row.ts';
import { DeletionRequestRow } from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { MfaEnrollmentRow, RecoveryCodeRow } from '#adapters/postgres/transactional/entities/mfa-row.ts';
import { OwnNetworkRow } from '#adapters/postgres/transactional/entities/own-network-row.ts';
import { SessionRow } from '#adapters/postgres/transactional/entities/session-row.ts';
import { UserOrganizationRow, type UserRow } from '#adapters/postgres/transactional/entities/user-row.ts';
import { withdrawMail } from '#adapters/postgres/transactional/mail/mail-queue.ts';
import { holdUser } from '#adapters/postgres/transactional/row-locks.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UserId } from '#domain/ids.ts';

/** Within the system scope; see `AccountEraser`. */
export async function eraseAccount(em: EntityManager, userId: UserId, clock: Clock): Promise<void> {
  const now = clock();
  const user = await holdUser(em, userId);
  if (user !== null && user.status !== 'deleted') {
    leaveTombstone(user, new Date(now));
    await em.flush();
  }
  // Set-based, because there can be any number of each. Refresh tokens go with their sessions.
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
