/** A session: what signing in begins, and a family of refresh tokens carries on (Contract: §2). */
import type { SessionId, UserId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** That MFA was verified in a session: when, to the whole second, and with the factor of which epoch. */
export interface SessionMfa {
  readonly verifiedAt: EpochMs;
  readonly epoch: number;
}

/** What a session says of MFA that was verified at `now`: rounded down, as tokens have whole seconds. */
export function verifiedMfa(now: EpochMs, epoch: number): SessionMfa {
  return { verifiedAt: now - (now % 1_000), epoch };
}

export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  /** The user's auth epoch when the session began; a session of an older one is void. */
  readonly authEpoch: number;
  readonly mfa: SessionMfa | null;
  readonly createdAt: EpochMs;
  /** From then on it cannot be refreshed. */
  readonly expiresAt: EpochMs;
  /** When it was ended, by signing out or because a refresh token was used twice. */
  readonly endedAt: EpochMs | null;
}

/** How long a session lasts that nobody refreshes. */
const IDLE_LIFETIME_MS = 7 * DAY_MS;

/** How long a session lasts at most. */
const LONGEST_LIFETIME_MS = 30 * DAY_MS;

/** Until when a session can be refreshed that was last used at `now`. */
export function sessionExpiry(createdAt: EpochMs, now: EpochMs): EpochMs {
  return Math.min(now + IDLE_LIFETIME_MS, createdAt + LONGEST_LIFETIME_MS);
}

export type RefreshDecision =
  | { readonly outcome: 'accepted'; readonly session: Session }
  /** The token has been used before: whoever has the other copy must not go on either. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'refused' };

/** What becomes of a refresh: `userAuthEpoch` is the user's now, null where not active any more. */
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
