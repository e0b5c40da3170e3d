/** A session begins with a sign-in and continues by refresh tokens (Contract: §2). */
import type { SessionId, UserId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS } from '#domain/time.ts';

/** When MFA was verified, in whole seconds, and the user's MFA epoch. */
export interface SessionMfa {
  readonly verifiedAt: EpochMs;
  readonly epoch: number;
}

/** Rounds down, because tokens have whole seconds. */
export function verifiedMfa(now: EpochMs, epoch: number): SessionMfa {
  return { verifiedAt: now - (now % 1_000), epoch };
}

export interface Session {
  readonly id: SessionId;
  readonly userId: UserId;
  /** A higher epoch of the user voids the session. */
  readonly authEpoch: number;
  readonly mfa: SessionMfa | null;
  /** When the person last used a passkey or signed in anew at their provider; null if never. */
  readonly provenAt: EpochMs | null;
  readonly createdAt: EpochMs;
  /** The last sign-in or refresh. The use of access tokens is not recorded. */
  readonly lastUsedAt: EpochMs;
  /** The client's address at `lastUsedAt`; null if unknown. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** From this instant on, the session cannot be refreshed. */
  readonly expiresAt: EpochMs;
  /** Set by a sign-out, a refresh token that is used twice, or a second factor that is set up in another session. */
  readonly endedAt: EpochMs | null;
}

/** Also the lifetime of a session that is never refreshed. */
export const REFRESH_TOKEN_LIFETIME_MS = 7 * DAY_MS;

/** Where the refresh token is kept: by the `client`, or in a `cookie` that scripts cannot read. */
export type TokenCarrier = 'client' | 'cookie';

/**
 * How long a used refresh token is still accepted. Tabs share a cookie, and a page that reloads during a refresh may
 * never see the new token (Contract: §14).
 */
export const REUSE_MS: Readonly<Record<TokenCarrier, number>> = { client: 0, cookie: 30_000 };

/** The prefixes differ, so that a token from the wrong carrier is refused. */
const TOKEN_PREFIXES: Readonly<Record<TokenCarrier, string>> = { client: 'fsr_', cookie: 'fsc_' };

/** `secret` has 43 base64url characters. */
export function toRefreshToken(carrier: TokenCarrier, secret: string): string {
  return `${TOKEN_PREFIXES[carrier]}${secret}`;
}

/** Whether the token has the carrier's prefix. */
export function isTokenOf(carrier: TokenCarrier, token: string): boolean {
  return token.startsWith(TOKEN_PREFIXES[carrier]);
}

const LONGEST_LIFETIME_MS = 30 * DAY_MS;

/** When a session that is refreshed at `now` expires. */
export function sessionExpiry(createdAt: EpochMs, now: EpochMs): EpochMs {
  return Math.min(now + REFRESH_TOKEN_LIFETIME_MS, createdAt + LONGEST_LIFETIME_MS);
}

/** How long ended sessions are kept. Without the record, an unexpired access token would work again. */
export const SESSION_KEPT_MS = HOUR_MS;

/** Whether the session is over and all of its access tokens have expired. */
export function canForgetSession({ endedAt, expiresAt }: Session, now: EpochMs): boolean {
  return (endedAt ?? expiresAt) + SESSION_KEPT_MS <= now;
}

/** Whether a session has neither ended nor expired. */
export function isLive({ endedAt, expiresAt }: Session, now: EpochMs): boolean {
  return endedAt === null && now < expiresAt;
}

export type RefreshDecision =
  | { readonly outcome: 'accepted'; readonly session: Session }
  /** The token was just replaced, probably by the same client, which gets the replacement again. */
  | { readonly outcome: 'repeated' }
  /** The token was used before: somebody else has a copy, so the session must end. */
  | { readonly outcome: 'reused' }
  | { readonly outcome: 'refused' };

export interface SentRefreshToken {
  readonly carrier: TokenCarrier;
  readonly usedAt: EpochMs | null;
}

/** `userAuthEpoch` is null if the user is not active. */
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

/** Whether the token was used too long ago to be accepted again. */
export function isReplay({ carrier, usedAt }: SentRefreshToken, now: EpochMs): boolean {
  return usedAt !== null && now >= usedAt + REUSE_MS[carrier];
}

/** In code points. Browsers send about half of that. */
const MAX_USER_AGENT_LENGTH = 256;

/** Makes one short line; null if nothing printable is left. */
export function storableUserAgent(sent: string | null | undefined): string | null {
  const line = (sent ?? '').replace(UNPRINTABLE, '').trim();
  return line === '' ? null : Array.from(line).slice(0, MAX_USER_AGENT_LENGTH).join('');
}

// Direction marks and overrides could disguise the text.
const UNPRINTABLE = /\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
