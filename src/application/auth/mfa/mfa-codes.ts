import type { ApplicationError } from '#application/application-error.ts';
import {
  codesRefusedForDay,
  guessingNotices,
  tooManyAttempts,
  wrongCodes,
  wrongCodesOfDay,
} from '#application/auth/attempt-limits.ts';
import { INVALID_CODE } from '#application/auth/auth-refusals.ts';
import type { NotifyUser } from '#application/auth/notify-user.ts';
import type { Visit } from '#application/call.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { MfaFactor } from '#application/ports/auth/stores/mfa-store.ts';
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Totp } from '#application/ports/auth/totp.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { parseMfaCode } from '#domain/access/mfa.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** Codes count as wrong before they are checked, so no burst of guesses gets through. */
export interface CountedCode {
  /**
   * Refunds the count, except for `INVALID_CODE`. After the last wrong code that a day allows, the user gets a mail.
   */
  settle(outcome: Result<unknown, ApplicationError>): Promise<void>;
}

/** Counts the code under every limit, or under none if one refuses. */
export type CountCode = (visit: Visit, userId: UserId) => Promise<Result<CountedCode, ApplicationError>>;

export interface CountCodeDeps {
  readonly rateLimiter: RateLimiter;
  readonly hasSignedInFrom: HasSignedInFrom;
  readonly unitOfWork: UnitOfWork;
  readonly notifyUser: NotifyUser;
  readonly clock: Clock;
}

export function makeCountCode(deps: CountCodeDeps): CountCode {
  const { rateLimiter } = deps;
  return async ({ ip }, userId) => {
    const recent = await rateLimiter.consume(wrongCodes(userId));
    if (!recent.allowed) return err(tooManyAttempts(recent));
    const ofDay = await rateLimiter.consume(wrongCodesOfDay(userId));
    if (!ofDay.allowed && !(await isOwnNetwork(deps, userId, ip))) {
      await rateLimiter.refund(wrongCodes(userId));
      // One refusal a day is recorded. `ofDay.isFirstRefusal` cannot tell which: it may belong to a code that
      // was not refused, because it came from the user's own network.
      const isFirstRefusal = (await rateLimiter.consume(codesRefusedForDay(userId))).allowed;
      return err(tooManyAttempts({ ...ofDay, isFirstRefusal }));
    }
    return ok({
      settle: async (outcome) => {
        if (!outcome.ok && outcome.error.code === INVALID_CODE.code) {
          if (!ofDay.allowed || ofDay.remaining === 0) await warn(deps, userId);
          return;
        }
        await rateLimiter.refund(wrongCodes(userId));
        if (ofDay.allowed) await rateLimiter.refund(wrongCodesOfDay(userId));
      },
    });
  };
}

async function isOwnNetwork(
  { hasSignedInFrom, clock }: CountCodeDeps,
  userId: UserId,
  ip: string | null,
): Promise<boolean> {
  return ip !== null && hasSignedInFrom({ userId }, networkOf(ip), clock() - OWN_NETWORK_MS);
}

async function warn(
  { rateLimiter, unitOfWork, notifyUser, clock }: CountCodeDeps,
  userId: UserId,
): Promise<void> {
  const notice = await rateLimiter.consume(guessingNotices(userId));
  if (!notice.allowed) return;
  try {
    await unitOfWork(SYSTEM_SCOPE, (tx) =>
      notifyUser(tx, userId, { kind: 'codes-guessed', facts: { at: clock() } }),
    );
  } catch (error) {
    // Lets the next wrong code try to send the mail.
    await rateLimiter.refund(guessingNotices(userId));
    throw error;
  }
}

/**
 * Accepts a code from the factor, or a recovery code. The code counts as used once the transaction commits. If a
 * recovery code was used, the user is told by mail.
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
    const step = factor.secret === null ? null : totp.findStep(factor.secret, code.code, clock());
    return step !== null && (await tx.mfa.takeStep(userId, step));
  };
}
