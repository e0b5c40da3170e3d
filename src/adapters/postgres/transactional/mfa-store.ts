/** Second factors on PostgreSQL, within one transaction. Each code is taken by one statement, so that one wins. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { MfaWriter } from '#application/ports/auth/mfa-store.ts';
import type { SecretBox } from './signing-key-store.ts';

export function mfaWriter(em: EntityManager, box: SecretBox): MfaWriter {
  return {
    findFactor: async (userId) => {
      const [row] = await em.execute<{ totp_secret: string | null; mfa_epoch: number }[]>(HOLD_FACTOR, [
        userId,
      ]);
      if (row === undefined || row.totp_secret === null) return null;
      return { secret: box.open(row.totp_secret), epoch: row.mfa_epoch };
    },

    takeStep: async (userId, step) => {
      const taken = await em.execute<unknown[]>(TAKE_STEP, [step, userId, step]);
      return taken.length === 1;
    },

    takeRecoveryCode: async (userId, codeSha256) => {
      const taken = await em.execute<unknown[]>(
        'delete from recovery_code where user_id = ? and code_sha256 = ? returning 1',
        [userId, codeSha256],
      );
      return taken.length === 1;
    },

    startEnrollment: async (userId, { secret, startedAt }) => {
      await em.execute(START_ENROLLMENT, [userId, box.seal(secret), new Date(startedAt).toISOString()]);
    },

    findEnrollment: async (userId) => {
      const [row] = await em.execute<{ totp_secret: string; started_at: string }[]>(HOLD_ENROLLMENT, [
        userId,
      ]);
      if (row === undefined) return null;
      return { secret: box.open(row.totp_secret), startedAt: Number(row.started_at) };
    },

    completeEnrollment: async (userId, { secret, step, recoveryCodeSha256s }) => {
      const [row] = await em.execute<{ mfa_epoch: number }[]>(SET_FACTOR, [box.seal(secret), step, userId]);
      if (row === undefined) throw new Error(`there is no active user ${userId}`);
      await em.execute('delete from mfa_enrollment where user_id = ?', [userId]);
      await em.execute('delete from recovery_code where user_id = ?', [userId]);
      for (const code of recoveryCodeSha256s) {
        await em.execute('insert into recovery_code (user_id, code_sha256) values (?, ?)', [userId, code]);
      }
      return row.mfa_epoch;
    },
  };
}

const HOLD_FACTOR = `
  select totp_secret, mfa_epoch from app_user where id = ? and status = 'active' for no key update`;

const TAKE_STEP = `
  update app_user set last_totp_step = ?
  where id = ? and (last_totp_step is null or last_totp_step < ?)
  returning 1`;

const START_ENROLLMENT = `
  insert into mfa_enrollment (user_id, totp_secret, started_at) values (?, ?, ?)
  on conflict (user_id) do update set totp_secret = excluded.totp_secret, started_at = excluded.started_at`;

const HOLD_ENROLLMENT = `
  select totp_secret, extract(epoch from started_at) * 1000 as started_at
  from mfa_enrollment where user_id = ? for update`;

const SET_FACTOR = `
  update app_user set totp_secret = ?, last_totp_step = ?, mfa_epoch = mfa_epoch + 1
  where id = ? and status = 'active' returning mfa_epoch`;
