/** Checks the code of a second factor and uses it up, so that it works only once (Contract: §2). */
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { MfaFactor } from '#application/ports/auth/stores/mfa-store.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import { parseMfaCode } from '#domain/access/mfa.ts';
import type { UserId } from '#domain/ids.ts';

/**
 * Whether the code belongs to the factor or is one of the user's recovery codes; used up with the transaction. The
 * user gets a mail about a recovery code.
 */
export type CheckCode = (
  tx: Pick<Transaction, 'mfa' | 'deletions' | 'mail'>,
  userId: UserId,
  factor: MfaFactor,
  code: string,
) => Promise<boolean>;

export interface CheckCodeDeps {
  readonly totp: Totp;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
  readonly notifyUser: NotifyUser;
}

export function makeCheckCode({ totp, secrets, clock, notifyUser }: CheckCodeDeps): CheckCode {
  return async (tx, userId, factor, text) => {
    const code = parseMfaCode(text);
    if (code === null) return false;
    if (code.kind === 'recovery') {
      const isTaken = await tx.mfa.takeRecoveryCode(userId, secrets.digest(code.code));
      if (isTaken) await notifyUser(tx, userId, { kind: 'recovery-code-used', facts: { at: clock() } });
      return isTaken;
    }
    const step = totp.findStep(factor.secret, code.code, clock());
    return step !== null && (await tx.mfa.takeStep(userId, step));
  };
}
