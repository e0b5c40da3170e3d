/** Counts codes of a second factor before they are checked, so that no burst of guesses gets through (Contract: §2). */
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
import type { HasSignedInFrom } from '#application/ports/auth/stores/own-networks.ts';
import type { RateLimiter } from '#application/ports/auth/stores/rate-limiter.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { networkOf, OWN_NETWORK_MS } from '#domain/access/network.ts';
import type { UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/** A code that has been counted as a wrong one. */
export interface CountedCode {
  /**
   * By what came of it. Takes it back, unless it was wrong (`INVALID_CODE`). After the last wrong one that a day
   * allows, the user gets a mail, one a day at most.
   */
  settle(outcome: Result<unknown, ApplicationError>): Promise<void>;
}

/** Counts the code under every limit, or under none if it is refused. */
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
      // Recorded once a day. The limit's own mark may have gone to a code that was let through from another network.
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
    // The next wrong code tries again.
    await rateLimiter.refund(guessingNotices(userId));
    throw error;
  }
}
