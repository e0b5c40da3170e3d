import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import { findActiveByEmail } from '#adapters/memory/tables/users.ts';
import type { StoredUser, World } from '#adapters/memory/tables/world.ts';
import type { MfaWriter } from '#application/ports/auth/stores/mfa-store.ts';
import type { HasSignedInFrom, OwnNetworkWriter } from '#application/ports/auth/stores/own-networks.ts';
import type { PasswordWriter } from '#application/ports/auth/stores/password-store.ts';
import type { SignInAccount, SignInStore } from '#application/ports/auth/stores/sign-in-store.ts';
import type { UserId } from '#domain/ids.ts';
import { passkeysOf } from './passkey-stores.ts';
import { toPrincipal } from './principal-store.ts';

export function makeMfaWriter(tables: StagedTables): MfaWriter {
  const change = (userId: UserId, changes: Partial<StoredUser>) => {
    const user = tables.users.get(userId);
    if (user === null) throw new Error(`there is no user ${userId}`);
    tables.users.set(userId, { ...user, ...changes });
  };
  const hasFactor = ({ id, totpSecret }: StoredUser) =>
    totpSecret !== null || passkeysOf(tables, id).length > 0;
  return {
    async findFactor(userId) {
      const user = tables.users.get(userId);
      if (user?.status !== 'active' || !hasFactor(user)) return null;
      return { secret: user.totpSecret, epoch: user.mfaEpoch };
    },
    async takeStep(userId, step) {
      const user = tables.users.get(userId);
      if (user === null || (user.lastTotpStep !== null && user.lastTotpStep >= step)) return false;
      change(userId, { lastTotpStep: step });
      return true;
    },
    async takeRecoveryCode(userId, codeSha256) {
      const codes = tables.recoveryCodes.get(userId);
      if (codes === null || !codes.has(codeSha256)) return false;
      tables.recoveryCodes.set(userId, codes.difference(new Set([codeSha256])));
      return true;
    },
    async replaceRecoveryCodes(userId, codeSha256s) {
      if (tables.users.get(userId)?.status !== 'active') throw new Error(`there is no active user ${userId}`);
      tables.recoveryCodes.set(userId, new Set(codeSha256s));
    },
    async startEnrollment(userId, enrollment) {
      tables.mfaEnrollments.set(userId, { ...enrollment });
    },
    async findEnrollment(userId) {
      const enrollment = tables.mfaEnrollments.get(userId);
      return enrollment === null ? null : { ...enrollment };
    },
    async removeFactor(userId) {
      const user = tables.users.get(userId);
      if (user === null) return false;
      const wasEnrolled = hasFactor(user);
      for (const { id } of passkeysOf(tables, userId)) tables.passkeys.delete(id);
      change(userId, { totpSecret: null, lastTotpStep: null, mfaEpoch: user.mfaEpoch + 1 });
      tables.mfaEnrollments.delete(userId);
      tables.recoveryCodes.delete(userId);
      return wasEnrolled;
    },
    async completeEnrollment(userId, { secret, step, recoveryCodeSha256s }) {
      const user = tables.users.get(userId);
      if (user?.status !== 'active') throw new Error(`there is no active user ${userId}`);
      const mfaEpoch = user.mfaEpoch + 1;
      change(userId, { totpSecret: secret, lastTotpStep: step, mfaEpoch });
      tables.mfaEnrollments.delete(userId);
      tables.recoveryCodes.set(userId, new Set(recoveryCodeSha256s));
      return mfaEpoch;
    },
  };
}

export function makePasswordWriter(tables: StagedTables): PasswordWriter {
  const findActive = (userId: UserId): StoredUser | null => {
    const user = tables.users.get(userId);
    return user?.status === 'active' ? user : null;
  };
  return {
    async holdEpoch(userId) {
      return findActive(userId)?.passwordEpoch ?? null;
    },
    async change(userId, passwordHash) {
      const user = findActive(userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      tables.users.set(userId, { ...user, passwordHash, passwordEpoch: user.passwordEpoch + 1 });
    },
  };
}

export function makeSignInStore(world: World): SignInStore {
  const find = (userId: UserId | undefined): SignInAccount | null => {
    const user = userId === undefined ? undefined : world.users.get(userId);
    if (user?.status !== 'active') return null;
    const { email, name, passwordHash, passwordEpoch } = user;
    return { principal: toPrincipal(world, user), email, name, passwordHash, passwordEpoch };
  };
  return {
    findByEmail: async (email) => find(findActiveByEmail(world, email)?.id),
    findById: async (userId) => find(userId),
    findByRefreshToken: async (tokenSha256) => {
      const token = world.refreshTokens.get(tokenSha256);
      if (token === undefined) return null;
      const { sessionId, usedAt } = token;
      const account = find(world.sessions.get(sessionId)?.userId);
      return account === null ? null : { account, sessionId, usedAt };
    },
    replacePasswordHash: (userId, from, to) =>
      world.lock(() => {
        const user = world.users.get(userId);
        if (user?.passwordHash === from) world.users.set(userId, { ...user, passwordHash: to });
      }),
  };
}

export function makeHasSignedInFrom(world: World): HasSignedInFrom {
  return async (named, network, since) => {
    const user = 'email' in named ? findActiveByEmail(world, named.email) : world.users.get(named.userId);
    if (user?.status !== 'active') return false;
    const lastAt = world.ownNetworks.get(user.id)?.get(network);
    return lastAt !== undefined && lastAt >= since;
  };
}

export function makeOwnNetworkWriter(tables: StagedTables): OwnNetworkWriter {
  return {
    async remember(userId, network, at, forget) {
      if (tables.users.get(userId) === null) throw new Error(`there is no user ${userId}`);
      const kept = [...(tables.ownNetworks.get(userId) ?? [])].filter(([, lastAt]) => lastAt >= forget);
      const earlier = new Map(kept).get(network) ?? at;
      tables.ownNetworks.set(userId, new Map([...kept, [network, Math.max(earlier, at)]]));
    },
  };
}
