/** How often passwords and codes can be tried (Contract: §2). */
import type { ApplicationError } from '#application/application-error.ts';
import type { RateRule, RateVerdict } from '#application/ports/auth/stores/rate-limiter.ts';
import { DAY_MS } from '#domain/time.ts';

const DAY_SECONDS = DAY_MS / 1_000;

/** By client, see `clientOf`. */
export const SIGN_INS_OF_ADDRESS: RateRule = { name: 'sign-in-address', points: 10, windowSeconds: 300 };

/**
 * By email, in any case, whether it has an account or not. The networks that its owner has signed in from have a count
 * of their own each, so that a stranger elsewhere cannot lock them out.
 */
export const SIGN_INS_OF_EMAIL: RateRule = { name: 'sign-in-email', points: 10, windowSeconds: 300 };

/** By user, wherever they have to enter their password again (Spec: Limits, "password re-entry attempts"). */
export const PASSWORD_REENTRIES: RateRule = { name: 'deletion-password', points: 5, windowSeconds: 300 };

/** By user, for the password that setting up a second factor takes. */
export const ENROLLMENT_PASSWORDS: RateRule = { name: 'enroll-password', points: 5, windowSeconds: 300 };

/** By user, for the password that changing it takes. */
export const PASSWORD_CHANGES: RateRule = { name: 'change-password', points: 5, windowSeconds: 300 };

/** By session. A client refreshes every quarter of an hour; each refresh leaves a row for a week. */
export const REFRESHES_OF_SESSION: RateRule = { name: 'session-refresh', points: 120, windowSeconds: 300 };

/** By user. Codes count before they are checked, so that no burst gets through; correct ones are refunded. */
export const WRONG_CODES: RateRule = { name: 'mfa-code', points: 5, windowSeconds: 300 };

/** By user, for networks that are not theirs; beyond it the user gets a mail. Counted like {@link WRONG_CODES}. */
export const WRONG_CODES_OF_DAY: RateRule = { name: 'mfa-code-day', points: 20, windowSeconds: DAY_SECONDS };

/** By user: how often such a refusal is recorded, and such a mail sent. */
export const CODES_REFUSED_FOR_DAY: RateRule = {
  name: 'mfa-code-refused',
  points: 1,
  windowSeconds: DAY_SECONDS,
};
export const GUESSING_NOTICES: RateRule = { name: 'mfa-code-notice', points: 1, windowSeconds: DAY_SECONDS };

/** Whoever has that many passwords waiting to be checked. Nothing was tried, so nothing is on record. */
export const TOO_MANY_WAITING: ApplicationError = {
  code: 'rate_limited',
  detail: 'Too many sign-ins from your network are waiting; try again in 5 seconds.',
  retryAfterSeconds: 5,
  isRepeated: true,
};

/** The refusal of one attempt too many; repeated ones are not recorded again. */
export function tooManyAttempts(verdict: Extract<RateVerdict, { allowed: false }>): ApplicationError {
  const { retryAfterSeconds, isFirstRefusal } = verdict;
  return {
    code: 'rate_limited',
    detail: `Too many attempts; try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    retryAfterSeconds,
    isRepeated: !isFirstRefusal,
  };
}
