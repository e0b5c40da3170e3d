/** How often passwords and codes may be tried (Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import type { RateRule } from '#application/ports/auth/rate-limiter.ts';

export const SIGN_INS_OF_ADDRESS: RateRule = { name: 'sign-in-address', points: 10, windowSeconds: 300 };

export const SIGN_INS_OF_EMAIL: RateRule = { name: 'sign-in-email', points: 10, windowSeconds: 300 };

/** Spec: Limits, "password re-entry attempts". By user, whoever is asked to enter theirs once more. */
export const PASSWORD_REENTRIES: RateRule = { name: 'deletion-password', points: 5, windowSeconds: 300 };

/** By user. A code counts before it is looked at, so that no burst gets through; a good one is given back. */
export const WRONG_CODES: RateRule = { name: 'mfa-code', points: 5, windowSeconds: 300 };

export function tooManyAttempts(retryAfterSeconds: number): ApplicationError {
  return {
    code: 'rate_limited',
    detail: `Too many attempts; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  };
}
