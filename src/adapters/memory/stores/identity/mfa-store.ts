import type { AccessTables } from '#adapters/memory/tables/access-tables.ts';
import type { StoredUser } from '#adapters/memory/tables/world.ts';
import type { MfaWriter } from '#application/ports/auth/stores/mfa-store.ts';
import type { UserId } from '#domain/ids.ts';

export function makeMfaWriter(tables: AccessTables): MfaWriter {
  const change = (userId: UserId, changes: Partial<StoredUser>) => {
    const user = tables.users.get(userId);
    if (user === null) throw new Error(`there is no user ${userId}`);
    tables.users.set(userId, { ...user, ...changes });
  };
  return {
    async findFactor(userId) {
      const user = tables.users.get(userId);
      if (user?.status !== 'active' || user.totpSecret === null) return null;
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
      if (user?.status !== 'active' || user.totpSecret === null) return false;
      change(userId, { totpSecret: null, lastTotpStep: null, mfaEpoch: user.mfaEpoch + 1 });
      tables.mfaEnrollments.delete(userId);
      tables.recoveryCodes.delete(userId);
      return true;
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
