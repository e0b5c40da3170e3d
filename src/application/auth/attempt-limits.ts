/**
 * Limits for attempts (Contract: §2). Each function returns the key of a counter, which all spellings of an
 * email or address share.
 */
import type { ApplicationError } from '#application/application-error.ts';
import { type RateVerdict, rateLimit } from '#application/ports/auth/stores/rate-limiter.ts';
import { PROVIDER_VISIT_MS } from '#domain/access/identity-provider.ts';
import { clientOf, networkOf } from '#domain/access/network.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/access/passkey.ts';
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

/** Emails without an account count, too, so refusals reveal no account. */
export const signInsOfEmail = rateLimit(
  { name: 'sign-in-email', points: 10, ...FIVE_MINUTES },
  (email: string) => [foldCase(email)],
);

/** Each network that the owner has signed in from has a counter, so strangers elsewhere cannot lock the owner out. */
export const signInsFromOwnNetwork = rateLimit(
  { name: 'sign-in-own-network', points: 10, ...FIVE_MINUTES },
  (email: string, address: string) => [foldCase(email), networkOf(address)],
);

const HOUR = { windowSeconds: 3_600 };

/** Emails without an account count, too. */
export const resetMailsOfEmail = rateLimit({ name: 'reset-email', points: 3, ...HOUR }, (email: string) => [
  foldCase(email),
]);

/** For networks that the owner has signed in from, as {@link signInsFromOwnNetwork}. */
export const resetMailsFromOwnNetwork = rateLimit(
  { name: 'reset-own-network', points: 3, ...HOUR },
  (email: string, address: string) => [foldCase(email), networkOf(address)],
);

export const resetMailsOfNetwork = rateLimit(
  { name: 'reset-network', points: 10, ...HOUR },
  (address: string) => [networkOf(address)],
);

/** Each `email_taken` answer reveals an account, so a user gets at most ten an hour. */
export const takenEmails = rateLimit({ name: 'email-taken', points: 10, ...HOUR }, byUser);

/** Password checks of deletion requests (Spec: Limits, "password re-entry attempts"). */
export const deletionPasswords = rateLimit({ name: 'deletion-password', points: 5, ...FIVE_MINUTES }, byUser);

export const enrollmentPasswords = rateLimit({ name: 'enroll-password', points: 5, ...FIVE_MINUTES }, byUser);

export const passwordChanges = rateLimit({ name: 'change-password', points: 5, ...FIVE_MINUTES }, byUser);

/** Bounds the stored tokens: each refresh leaves a used one for a week. Clients refresh only every 15 minutes. */
export const refreshesOfSession = rateLimit(
  { name: 'session-refresh', points: 120, ...FIVE_MINUTES },
  (sessionId: SessionId) => [sessionId],
);

/** Each sign-in asks a server on the internet. The limit is high, because an office may share one address. */
export const providerSignInsOfAddress = rateLimit(
  { name: 'provider-sign-in', points: 60, ...FIVE_MINUTES },
  (address: string) => [clientOf(address)],
);

export const domainLookUps = rateLimit({ name: 'domain-look-up', points: 20, ...FIVE_MINUTES }, byUser);

export const passkeyPasswords = rateLimit({ name: 'passkey-password', points: 5, ...FIVE_MINUTES }, byUser);

/** A challenge works once: `points` is 1, and the challenge expires before the window ends. */
export const answersOfChallenge = rateLimit(
  { name: 'passkey-challenge', points: 1, windowSeconds: CHALLENGE_LIFETIME_MS / 1_000 },
  (challenge: string) => [challenge],
);

/** A visit ends once: `points` is 1, and the visit expires before the window ends. */
export const endsOfProviderVisit = rateLimit(
  { name: 'provider-visit', points: 1, windowSeconds: PROVIDER_VISIT_MS / 1_000 },
  (state: string) => [state],
);

/** Codes count before they are checked, so no burst of guesses exceeds the limit. Right codes are refunded. */
export const wrongCodes = rateLimit({ name: 'mfa-code', points: 5, ...FIVE_MINUTES }, byUser);

/**
 * This daily limit does not apply to networks that the user has signed in from. When it is used up, the user
 * gets a mail.
 */
export const wrongCodesOfDay = rateLimit({ name: 'mfa-code-day', points: 20, ...DAY }, byUser);

/** At most one audit entry and one mail a day about {@link wrongCodesOfDay}. */
export const codesRefusedForDay = rateLimit({ name: 'mfa-code-refused', points: 1, ...DAY }, byUser);
export const guessingNotices = rateLimit({ name: 'mfa-code-notice', points: 1, ...DAY }, byUser);

/** `isRepeated` keeps this refusal out of the audit log, because no password was checked. */
export const TOO_MANY_WAITING: ApplicationError = {
  code: 'rate_limited',
  detail: 'Too many sign-ins from your network are waiting; try again in 5 seconds.',
  retryAfterSeconds: 5,
  isRepeated: true,
};

/** `isRepeated` is false only for the first refusal. */
export function tooManyAttempts(verdict: Extract<RateVerdict, { allowed: false }>): ApplicationError {
  const { retryAfterSeconds, isFirstRefusal } = verdict;
  return {
    code: 'rate_limited',
    detail: `Too many attempts; try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`,
    retryAfterSeconds,
    isRepeated: !isFirstRefusal,
  };
}
