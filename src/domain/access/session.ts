/** A session begins with signing in and is continued by a family of refresh tokens (Contract: §2). */
import type { SessionId, UserId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '#domain/time.ts';

/** When MFA was verified in a session, in whole seconds, and the MFA epoch of the factor. */
export interface SessionMfa {
  readonly verifiedAt: EpochMs;
  readonly epoch: number;
}

/** MFA verified at `now`, rounded down because tokens have whole seconds. */
export function verifiedMfa(now: EpochMs, epoch: number): SessionMfa {
  return { verifiedAt: now - (now % 1_000), epoch };
}

export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  /** The user's auth epoch when the session began; once that increases, the session is void. */
  readonly authEpoch: number;
  readonly mfa: SessionMfa | null;
  readonly createdAt: EpochMs;
  /** From this instant it cannot be refreshed. */
  readonly expiresAt: EpochMs;
  /**
   * When it ended: by signing out, because a refresh token was used twice, or because a second factor was set up in
   * another session. Null if it has not.
   */
  readonly endedAt: EpochMs | null;
}

/** How long a refresh token can be used, and a session lasts without a refresh. */
export const REFRESH_TOKEN_LIFETIME_MS = 7 * DAY_MS;

/** The longest that a session can last. */
const LONGEST_LIFETIME_MS = 30 * DAY_MS;

/** When a session that is refreshed at `now` expires. */
export function sessionExpiry(createdAt: EpochMs, now: EpochMs): EpochMs {
  return Math.min(now + REFRESH_TOKEN_LIFETIME_MS, createdAt + LONGEST_LIFETIME_MS);
}

/**
 * How long a session is remembered after its end or, if it was not ended, its expiry. An access token carries no more
 * than a session id, so a session that is forgotten sooner than its last access token expires would come back to life.
 */
export const SESSION_KEPT_MS = HOUR_MS;

/** Whether a session is over and all of its access tokens have expired. */
export function canForgetSession({ endedAt, expiresAt }: Session, now: EpochMs): boolean {
  return (endedAt ?? expiresAt) + SESSION_KEPT_MS <= now;
}

/** Whether a session has neither ended nor expired. */
export function isLive({ endedAt, expiresAt }: Session, now: EpochMs): boolean {
  return endedAt === null && now < expiresAt;
}

export type RefreshDecision =
  | { readonly outcome: 'accepted'; readonly session: Session }
  /** The token has been used before. The session must end, because somebody else has a copy. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'refused' };

/** Decides a refresh. `userAuthEpoch` is the user's current one, null if the user is no longer active. */
export function decideRefresh(
  session: Session,
  isTokenUsed: boolean,
  userAuthEpoch: number | null,
  now: EpochMs,
): RefreshDecision {
  if (!isLive(session, now)) return { outcome: 'refused' };
  if (isTokenUsed) return { outcome: 'reused' };
  if (userAuthEpoch !== session.authEpoch) return { outcome: 'refused' };
  return {
    outcome: 'accepted',
    session: { ...session, expiresAt: sessionExpiry(session.createdAt, now) },
  };
}
