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

/** One sign-in, from its beginning to its end (Contract: §2, §14). */
export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  /** The user's auth epoch when the session began; once that increases, the session is void. */
  readonly authEpoch: number;
  readonly mfa: SessionMfa | null;
  readonly createdAt: EpochMs;
  /** When it was last continued: by signing in or by a refresh. Access tokens leave no trace. */
  readonly lastUsedAt: EpochMs;
  /** From where that was; null if it is not known. */
  readonly ip: string | null;
  /** What the client called itself then, see `storableUserAgent`. */
  readonly userAgent: string | null;
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

/** Who keeps a refresh token: the client itself, or a browser as a cookie that no script reads. */
export type TokenCarrier = 'client' | 'cookie';

/**
 * For how long a used token is taken again. The tabs of a browser share a cookie, and a page that is reloaded while it
 * refreshes may never see the next one (Contract: §14).
 */
export const REUSE_MS: Readonly<Record<TokenCarrier, number>> = { client: 0, cookie: 30_000 };

/** What tokens begin with, so that none is taken where it does not belong: both are known by the digest of all of it. */
const TOKEN_PREFIXES: Readonly<Record<TokenCarrier, string>> = { client: 'fsr_', cookie: 'fsc_' };

/** The token of these 43 base64url characters. */
export function toRefreshToken(carrier: TokenCarrier, secret: string): string {
  return `${TOKEN_PREFIXES[carrier]}${secret}`;
}

/** Whether a token was issued to such a carrier, if it was issued at all. */
export function isTokenOf(carrier: TokenCarrier, token: string): boolean {
  return token.startsWith(TOKEN_PREFIXES[carrier]);
}

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

/** What becomes of a refresh token that somebody sends. */
export type RefreshDecision =
  | { readonly outcome: 'accepted'; readonly session: Session }
  /** The token was replaced a moment ago, by somebody who may well be the same: they get what replaced it. */
  | { readonly outcome: 'repeated' }
  /** The token has been used before. The session must end, because somebody else has a copy. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'refused' };

/** A refresh token that somebody sends. */
export interface SentRefreshToken {
  readonly carrier: TokenCarrier;
  /** When it was used before, and replaced with that; null if it was not. */
  readonly usedAt: EpochMs | null;
}

/** Decides a refresh. `userAuthEpoch` is the user's current one, null if the user is no longer active. */
export function decideRefresh(
  session: Session,
  token: SentRefreshToken,
  userAuthEpoch: number | null,
  now: EpochMs,
): RefreshDecision {
  if (!isLive(session, now)) return { outcome: 'refused' };
  if (isReplay(token, now)) return { outcome: 'reused' };
  if (userAuthEpoch !== session.authEpoch) return { outcome: 'refused' };
  if (token.usedAt !== null) return { outcome: 'repeated' };
  return {
    outcome: 'accepted',
    session: { ...session, lastUsedAt: now, expiresAt: sessionExpiry(session.createdAt, now) },
  };
}

/** Whether the token was used before, and that too long ago to be taken again. */
export function isReplay({ carrier, usedAt }: SentRefreshToken, now: EpochMs): boolean {
  return usedAt !== null && now >= usedAt + REUSE_MS[carrier];
}

// What a client calls itself, as it is stored and shown: one line of bounded length.

/** In code points. Browsers send about half of it. */
const MAX_USER_AGENT_LENGTH = 256;

/** Without control characters and unpaired surrogates, and cut; null if nothing is left or nothing was sent. */
export function storableUserAgent(sent: string | null | undefined): string | null {
  const line = (sent ?? '').replace(UNPRINTABLE, '').trim();
  return line === '' ? null : Array.from(line).slice(0, MAX_USER_AGENT_LENGTH).join('');
}

// Direction marks, embeddings, overrides and isolates would show as something else than they are.
const UNPRINTABLE = /\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
