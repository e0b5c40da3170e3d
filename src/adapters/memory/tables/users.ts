import type { DigestSecret } from '#application/ports/auth/digest-secret.ts';
import type { PasswordHasher } from '#application/ports/auth/password-hasher.ts';
import type {
  EnrolmentKeyRecord,
  LoadedApiKeyRecord,
  LoadedUserRecord,
  Membership,
} from '#domain/fleet/fleet-record.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { StoredApiKey, StoredUser, World } from './world.ts';

export async function toStoredUser(
  user: LoadedUserRecord,
  hashPassword: PasswordHasher,
  now: EpochMs,
): Promise<StoredUser> {
  const { id, email, name, membership, permissions, isPlatformAdmin, totpSecret, password } = user;
  return {
    id,
    email,
    name,
    passwordHash: password === null ? (user.passwordHash ?? null) : await hashPassword(password),
    status: user.status === 'disabled' || user.status === 'invited' ? user.status : 'active',
    membership: copyMembership(membership),
    permissions: [...permissions],
    isPlatformAdmin,
    totpSecret,
    passwordEpoch: 1,
    authEpoch: 1,
    mfaEpoch: 1,
    lastTotpStep: null,
    createdAt: user.createdAt ?? now,
  };
}

export function toStoredApiKey(
  record: LoadedApiKeyRecord,
  digestSecret: DigestSecret,
  createdAt: EpochMs,
): StoredApiKey {
  const { id, userId, name, orgId, permissions, expiresAt } = record;
  return {
    id,
    sha256: sha256Of(record, digestSecret),
    userId,
    name,
    orgId,
    permissions: [...permissions],
    expiresAt,
    createdAt: record.createdAt ?? createdAt,
    revokedAt: record.revokedAt ?? null,
  };
}

export function sha256Of({ key, keySha256 }: LoadedApiKeyRecord, digestSecret: DigestSecret): string {
  if (key !== null) return digestSecret(key);
  if (keySha256 == null) throw new Error('the key record has neither a key nor a SHA-256');
  return keySha256;
}

export function findByEmail(
  world: Pick<World, 'users' | 'userIdsByEmail'>,
  email: string,
): StoredUser | undefined {
  const id = world.userIdsByEmail.get(foldCase(email));
  const user = id === undefined ? undefined : world.users.get(id);
  return user?.status === 'disabled' ? undefined : user;
}

export function findActiveByEmail(
  world: Pick<World, 'users' | 'userIdsByEmail'>,
  email: string,
): StoredUser | undefined {
  const user = findByEmail(world, email);
  return user?.status === 'active' ? user : undefined;
}

/** Erased users stay erased. If the row has neither a password nor a second factor, an existing user keeps both. */
export function putUser(world: World, user: StoredUser, recoveryCodeSha256s: Iterable<string> = []): void {
  if (world.erasedUsers.has(user.id)) return;
  const known = world.users.get(user.id);
  if (known !== undefined) forgetEmail(world, known);
  const bringsCredentials = user.passwordHash !== null || user.totpSecret !== null;
  world.users.set(user.id, {
    ...user,
    passwordHash: user.passwordHash ?? known?.passwordHash ?? null,
    totpSecret: bringsCredentials ? user.totpSecret : (known?.totpSecret ?? null),
    passwordEpoch: known?.passwordEpoch ?? 1,
    authEpoch: (known?.authEpoch ?? 0) + 1,
    mfaEpoch: known?.mfaEpoch ?? 1,
    lastTotpStep: known?.lastTotpStep ?? null,
    createdAt: known?.createdAt ?? user.createdAt,
  });
  world.userIdsByEmail.set(foldCase(user.email), user.id);
  if (!bringsCredentials) return;
  // Enrollment and recovery codes belong to the replaced factor, so they are deleted too.
  world.mfaEnrollments.delete(user.id);
  world.recoveryCodes.delete(user.id);
  const codes = new Set(recoveryCodeSha256s);
  if (codes.size > 0) world.recoveryCodes.set(user.id, codes);
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
    revokedAt: known?.revokedAt ?? key.revokedAt,
  });
  world.apiKeyIdsBySha256.set(key.sha256, key.id);
}

export function putEnrolmentKey(world: World, { kind: _, ...key }: EnrolmentKeyRecord): void {
  const known = world.enrolmentKeys.get(key.id);
  world.enrolmentKeys.set(key.id, {
    ...key,
    createdAt: known?.createdAt ?? key.createdAt,
    revokedAt: known?.revokedAt ?? key.revokedAt,
  });
}

/** Keeps the entry if the email already belongs to another user of the same load. */
function forgetEmail(world: World, user: StoredUser): void {
  const email = foldCase(user.email);
  if (world.userIdsByEmail.get(email) === user.id) world.userIdsByEmail.delete(email);
}

function copyMembership(membership: Membership): Membership {
  return membership.scope === 'partner' && membership.orgIds !== null
    ? { ...membership, orgIds: [...membership.orgIds] }
    : { ...membership };
}
