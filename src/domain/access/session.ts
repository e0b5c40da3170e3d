/** A session begins with signing in and is continued by a family of refresh tokens (Contract: §2). */
import type { SessionId, UserId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

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
  /** When it ended by signing out, or because a refresh token was used twice; null if it has not. */
  readonly endedAt: EpochMs | null;
}

/** How long a session lasts without a refresh. */
const IDLE_LIFETIME_MS = 7 * DAY_MS;

/** The longest that a session can last. */
const LONGEST_LIFETIME_MS = 30 * DAY_MS;

/** When a session that is refreshed at `now` expires. */
export function sessionExpiry(createdAt: EpochMs, now: EpochMs): EpochMs {
  return Math.min(now + IDLE_LIFETIME_MS, createdAt + LONGEST_LIFETIME_MS);
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
  if (session.endedAt !== null || session.expiresAt <= now) return { outcome: 'refused' };
  if (isTokenUsed) return { outcome: 'reused' };
  if (userAuthEpoch !== session.authEpoch) return { outcome: 'refused' };
  return {
    outcome: 'accepted',
    session: { ...session, expiresAt: sessionExpiry(session.createdAt, now) },
  };
}
