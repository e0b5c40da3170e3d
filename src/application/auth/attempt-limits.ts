/**
 * How often passwords and codes can be tried (Contract: §2). Each limit is a function that makes the keys of its
 * counters and brings emails and addresses into one form.
 */
import type { ApplicationError } from '#application/application-error.ts';
import { type RateVerdict, rateLimit } from '#application/ports/auth/stores/rate-limiter.ts';
import { clientOf, networkOf } from '#domain/access/network.ts';
import type { SessionId, UserId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { DAY_MS } from '#domain/time.ts';

const FIVE_MINUTES = { windowSeconds: 300 };
const DAY = { windowSeconds: DAY_MS / 1_000 };

const byUser = (userId: UserId) => [userId];

export const signInsOfAddress = rateLimit(
  { name: 'sign-in-address', points: 10, ...FIVE_MINUTES },
  (address: string) => [clientOf(address)],
);

/** Whether the email has an account or not. */
export const signInsOfEmail = rateLimit(
  { name: 'sign-in-email', points: 10, ...FIVE_MINUTES },
  (email: string) => [foldCase(email)],
);

/**
 * Each network that the owner of an email has signed in from has a count for itself, so that a stranger elsewhere
 * cannot lock them out.
 */
export const signInsFromOwnNetwork = rateLimit(
  { name: 'sign-in-own-network', points: 10, ...FIVE_MINUTES },
  (email: string, address: string) => [foldCase(email), networkOf(address)],
);

/** For the password that requesting the deletion of one's account takes (Spec: Limits, "password re-entry attempts"). */
export const deletionPasswords = rateLimit({ name: 'deletion-password', points: 5, ...FIVE_MINUTES }, byUser);

/** For the password that setting up a second factor takes. */
export const enrollmentPasswords = rateLimit({ name: 'enroll-password', points: 5, ...FIVE_MINUTES }, byUser);

/** For the password that changing it takes. */
export const passwordChanges = rateLimit({ name: 'change-password', points: 5, ...FIVE_MINUTES }, byUser);

/** A client refreshes every quarter of an hour; each refresh leaves a row for a week. */
export const refreshesOfSession = rateLimit(
  { name: 'session-refresh', points: 120, ...FIVE_MINUTES },
  (sessionId: SessionId) => [sessionId],
);

/** Codes count before they are checked, so that no burst gets through; correct ones are refunded. */
export const wrongCodes = rateLimit({ name: 'mfa-code', points: 5, ...FIVE_MINUTES }, byUser);

/** For networks that are not the user's; beyond it the user gets a mail. Counted like {@link wrongCodes}. */
export const wrongCodesOfDay = rateLimit({ name: 'mfa-code-day', points: 20, ...DAY }, byUser);

/** How often such a refusal is recorded, and such a mail sent. */
export const codesRefusedForDay = rateLimit({ name: 'mfa-code-refused', points: 1, ...DAY }, byUser);
export const guessingNotices = rateLimit({ name: 'mfa-code-notice', points: 1, ...DAY }, byUser);

/** The refusal of a sign-in when too many passwords wait to be checked. Nothing was tried, so nothing is on record. */
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
