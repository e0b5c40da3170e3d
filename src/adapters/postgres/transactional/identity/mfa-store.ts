/** Second factors. One statement uses up a code, so only one of many callers gets it. */
import type { EntityManager } from '@mikro-orm/postgresql';
import { MfaEnrollmentRow, RecoveryCodeRow } from '#adapters/postgres/transactional/entities/mfa-row.ts';
import { UserRow } from '#adapters/postgres/transactional/entities/user-row.ts';
import { FOR_UPDATE, holdActiveUser } from '#adapters/postgres/transactional/row-locks.ts';
import { enrollmentPlace, factorPlace } from '#adapters/postgres/transactional/secrets/sealed-places.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { MfaWriter } from '#application/ports/auth/stores/mfa-store.ts';

export function mfaWriter(em: EntityManager, secrets: Pick<SecretsAtRest, 'seal' | 'open'>): MfaWriter {
  return {
    findFactor: async (userId) => {
      const user = await holdActiveUser(em, userId);
      if (user === null || user.totpSecret === null) return null;
      return { secret: secrets.open(user.totpSecret, factorPlace(userId)), epoch: user.mfaEpoch };
    },

    takeStep: async (userId, step) => {
      await em.flush();
      const isUnused = { $or: [{ lastTotpStep: null }, { lastTotpStep: { $lt: step } }] };
      // A managed row of the user is now stale; callers that need one lock the user, which reads it again.
      const count = await em.nativeUpdate(UserRow, { id: userId, ...isUnused }, { lastTotpStep: step });
      return count === 1;
    },

    takeRecoveryCode: async (userId, codeSha256) => {
      await em.flush();
      return (await em.nativeDelete(RecoveryCodeRow, { user: userId, codeSha256 })) === 1;
    },

    replaceRecoveryCodes: async (userId, codeSha256s) => {
      const user = await holdActiveUser(em, userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      await replaceCodes(em, user, codeSha256s);
    },

    startEnrollment: async (userId, { secret, startedAt }) => {
      await em.flush();
      await em.upsert(MfaEnrollmentRow, {
        user: userId,
        totpSecret: secrets.seal(secret, enrollmentPlace(userId)),
        startedAt: new Date(startedAt),
      });
    },

    findEnrollment: async (userId) => {
      const row = await em.findOne(MfaEnrollmentRow, { user: userId }, FOR_UPDATE);
      if (row === null) return null;
      const secret = secrets.open(row.totpSecret, enrollmentPlace(userId));
      return { secret, startedAt: row.startedAt.getTime() };
    },

    removeFactor: async (userId) => {
      const user = await holdActiveUser(em, userId);
      if (user === null || user.totpSecret === null) return false;
      user.totpSecret = null;
      user.lastTotpStep = null;
      user.mfaEpoch += 1;
      await em.nativeDelete(MfaEnrollmentRow, { user: userId });
      await em.nativeDelete(RecoveryCodeRow, { user: userId });
      return true;
    },

    completeEnrollment: async (userId, { secret, step, recoveryCodeSha256s }) => {
      const user = await holdActiveUser(em, userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      user.totpSecret = secrets.seal(secret, factorPlace(userId));
      user.lastTotpStep = step;
      user.mfaEpoch += 1;
      const enrollment = await em.findOne(MfaEnrollmentRow, { user: userId });
      if (enrollment !== null) em.remove(enrollment);
      await replaceCodes(em, user, recoveryCodeSha256s);
      return user.mfaEpoch;
    },
  };
}

async function replaceCodes(em: EntityManager, user: UserRow, sha256s: readonly string[]): Promise<void> {
  await em.nativeDelete(RecoveryCodeRow, { user: user.id });
  for (const codeSha256 of sha256s) em.create(RecoveryCodeRow, { user, codeSha256 });
}
