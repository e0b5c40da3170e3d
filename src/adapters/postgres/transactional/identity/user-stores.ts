import type { EntityManager } from '@mikro-orm/postgresql';
import {
  MfaEnrollmentRow,
  OwnNetworkRow,
  PasskeyRow,
  RecoveryCodeRow,
  UserRow,
} from '#adapters/postgres/transactional/entities/user-rows.ts';
import { FOR_UPDATE, holdActiveUser, holdUser, type Orm } from '#adapters/postgres/transactional/orm.ts';
import { enrollmentPlace, factorPlace } from '#adapters/postgres/transactional/secrets/sealing-keys.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { MfaWriter } from '#application/ports/auth/stores/mfa-store.ts';
import type { HasSignedInFrom, OwnNetworkWriter } from '#application/ports/auth/stores/own-networks.ts';
import type { PasswordWriter } from '#application/ports/auth/stores/password-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { IS_ACTIVE } from './principal-store.ts';

export function mfaWriter(em: EntityManager, secrets: Pick<SecretsAtRest, 'seal' | 'open'>): MfaWriter {
  return {
    findFactor: async (userId) => {
      const user = await holdActiveUser(em, userId);
      if (user === null) return null;
      const { totpSecret: sealed, mfaEpoch: epoch } = user;
      if (sealed !== null) return { secret: secrets.open(sealed, factorPlace(userId)), epoch };
      return (await em.count(PasskeyRow, { user: userId })) === 0 ? null : { secret: null, epoch };
    },

    // One statement checks and takes the TOTP step, so only one of several simultaneous callers uses it. The
    // same holds for recovery codes.
    takeStep: async (userId, step) => {
      await em.flush();
      const isUnused = { $or: [{ lastTotpStep: null }, { lastTotpStep: { $lt: step } }] };
      // A managed row of this user is now out of date. `holdUser` reads it again.
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
      const user = await holdUser(em, userId);
      if (user === null) return false;
      const passkeys = await em.nativeDelete(PasskeyRow, { user: userId });
      const wasEnrolled = user.totpSecret !== null || passkeys > 0;
      user.totpSecret = null;
      user.lastTotpStep = null;
      user.mfaEpoch += 1;
      await em.nativeDelete(MfaEnrollmentRow, { user: userId });
      await em.nativeDelete(RecoveryCodeRow, { user: userId });
      return wasEnrolled;
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

export function passwordWriter(em: EntityManager, scope: AccessScope): PasswordWriter {
  return {
    holdEpoch: async (userId) => (await holdActiveUser(em, userId))?.passwordEpoch ?? null,
    change: async (userId, passwordHash) => {
      if (scope.kind !== 'system') throw new Error('passwords need the system scope');
      const user = await holdActiveUser(em, userId);
      if (user === null) throw new Error(`there is no active user ${userId}`);
      user.passwordHash = passwordHash;
      user.passwordEpoch += 1;
    },
  };
}

/** Runs the same statement whether or not the user exists, so timing does not reveal accounts. */
export function makeHasSignedInFrom(orm: Orm): HasSignedInFrom {
  return async (named, network, since) => {
    const [column, value] = 'email' in named ? ['u.email_lc', foldCase(named.email)] : ['u.id', named.userId];
    const rows = await orm.withScope(SYSTEM_SCOPE, (em) =>
      em.execute(
        `select 1 from own_network n join app_user u on u.id = n.user_id
         where ${column} = ? and ${IS_ACTIVE} and n.network = ? and n.last_at >= ?`,
        [value, network, new Date(since).toISOString()],
      ),
    );
    return rows.length > 0;
  };
}

export function ownNetworkWriter(em: EntityManager): OwnNetworkWriter {
  return {
    remember: async (userId, network, at, forget) => {
      await em.flush();
      await em.nativeDelete(OwnNetworkRow, { user: userId, lastAt: { $lt: new Date(forget) } });
      // Raw SQL, for GREATEST: the latest of simultaneous sign-ins counts.
      await em.execute(REMEMBER, [userId, network, new Date(at).toISOString()]);
    },
  };
}

const REMEMBER = `
  insert into own_network as known (user_id, network, last_at) values (?, ?, ?)
  on conflict (user_id, network) do update set last_at = greatest(known.last_at, excluded.last_at)`;
