/** Erases a user. A test searches the whole schema for remains. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { DeletionRequestRow } from '#adapters/postgres/transactional/entities/deletion-request-row.ts';
import { FederatedIdentityRow } from '#adapters/postgres/transactional/entities/identity-provider-rows.ts';
import { ApiKeyRow } from '#adapters/postgres/transactional/entities/key-rows.ts';
import { AccountLinkRow, ResetRequestRow } from '#adapters/postgres/transactional/entities/link-rows.ts';
import {
  MfaEnrollmentRow,
  OwnNetworkRow,
  PasskeyRow,
  RecoveryCodeRow,
  SessionRow,
  UserOrganizationRow,
  type UserRow,
} from '#adapters/postgres/transactional/entities/user-rows.ts';
import { type Instant, withdrawMail } from '#adapters/postgres/transactional/mail/mail-outbox.ts';
import { holdUser } from '#adapters/postgres/transactional/orm.ts';
import type { UserId } from '#domain/ids.ts';

export async function eraseAccount(
  em: EntityManager,
  userId: UserId,
  { at, mailAt }: { readonly at: Date; readonly mailAt: Instant },
): Promise<void> {
  const user = await holdUser(em, userId);
  if (user !== null && user.status !== 'deleted') {
    leaveTombstone(user, at);
    await em.flush();
  }
  // Refresh tokens are deleted with their sessions.
  await em.nativeDelete(SessionRow, { user: userId });
  await em.nativeDelete(MfaEnrollmentRow, { user: userId });
  await em.nativeDelete(RecoveryCodeRow, { user: userId });
  await em.nativeDelete(PasskeyRow, { user: userId });
  await em.nativeDelete(FederatedIdentityRow, { user: userId });
  await em.nativeDelete(OwnNetworkRow, { user: userId });
  await em.nativeDelete(AccountLinkRow, { user: userId });
  await em.nativeDelete(ResetRequestRow, { userId });
  await em.nativeDelete(ApiKeyRow, { user: userId });
  await em.nativeDelete(UserOrganizationRow, { user: userId });
  await em.execute(REMOVE_FROM_RECIPIENTS, [userId, userId]);
  await em.nativeUpdate(
    DeletionRequestRow,
    { user: userId, $or: [{ reason: { $ne: null } }, { adminNote: { $ne: null } }] },
    { reason: null, adminNote: null },
  );
  await withdrawMail(em, userId, mailAt);
}

const REMOVE_FROM_RECIPIENTS = `
  update subscription set recipients = array_remove(recipients, ?::uuid) where ?::uuid = any(recipients)`;

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
