/** Users and API keys in and out of the world, with their secrets hashed. */
import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type { ApiKeyRecord, Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { StoredApiKey, StoredUser, World } from './world.ts';

/** The user as a row; its tokens of an earlier row, if there is one, stop working when it is put in. */
export async function toStoredUser(user: UserRecord, hashPassword: PasswordHasher): Promise<StoredUser> {
  const { id, email, name, membership, permissions, isPlatformAdmin, totpSecret } = user;
  return {
    id,
    email,
    name,
    passwordHash: await hashPassword(user.password),
    status: 'active',
    membership: copyMembership(membership),
    permissions: [...permissions],
    isPlatformAdmin,
    totpSecret,
    passwordEpoch: 1,
    authEpoch: 1,
    mfaEpoch: 1,
    lastTotpStep: null,
  };
}

export function toStoredApiKey(
  record: ApiKeyRecord,
  digestSecret: DigestSecret,
  createdAt: EpochMs,
): StoredApiKey {
  const { id, key, userId, name, orgId, permissions, expiresAt } = record;
  return {
    id,
    sha256: digestSecret(key),
    userId,
    name,
    orgId,
    permissions: [...permissions],
    expiresAt,
    createdAt,
    revokedAt: null,
  };
}

/** The active user with this email, in any case. */
export function findActiveByEmail(
  world: Pick<World, 'users' | 'userIdsByEmail'>,
  email: string,
): StoredUser | undefined {
  const id = world.userIdsByEmail.get(foldCase(email));
  const user = id === undefined ? undefined : world.users.get(id);
  return user?.status === 'active' ? user : undefined;
}

/** Whoever is erased stays so. */
export function putUser(world: World, user: StoredUser): void {
  if (world.erasedUsers.has(user.id)) return;
  const known = world.users.get(user.id);
  if (known !== undefined) forgetEmail(world, known);
  world.users.set(user.id, {
    ...user,
    passwordEpoch: known?.passwordEpoch ?? 1,
    authEpoch: (known?.authEpoch ?? 0) + 1,
    mfaEpoch: known?.mfaEpoch ?? 1,
    lastTotpStep: known?.lastTotpStep ?? null,
  });
  world.userIdsByEmail.set(foldCase(user.email), user.id);
  // They go with the factor, which may be another one.
  world.mfaEnrollments.delete(user.id);
  world.recoveryCodes.delete(user.id);
}

export function putApiKey(world: World, key: StoredApiKey): void {
  if (world.erasedUsers.has(key.userId)) return;
  const known = world.apiKeys.get(key.id);
  if (known !== undefined && world.apiKeyIdsBySha256.get(known.sha256) === key.id) {
    world.apiKeyIdsBySha256.delete(known.sha256);
  }
  world.apiKeys.set(key.id, {
    ...key,
    createdAt: known?.createdAt ?? key.createdAt,
    revokedAt: known?.revokedAt ?? null,
  });
  world.apiKeyIdsBySha256.set(key.sha256, key.id);
}

/** Unless somebody else has come to have it in the same change. */
function forgetEmail(world: World, user: StoredUser): void {
  const email = foldCase(user.email);
  if (world.userIdsByEmail.get(email) === user.id) world.userIdsByEmail.delete(email);
}

function copyMembership(membership: Membership): Membership {
  return membership.scope === 'partner' && membership.orgIds !== null
    ? { ...membership, orgIds: [...membership.orgIds] }
    : { ...membership };
}
