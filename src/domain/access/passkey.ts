/** Passkeys: WebAuthn credentials that are both factors at once (Contract: §16). */
import type { PasskeyId, UserId } from '#domain/ids.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';

export interface Passkey {
  readonly id: PasskeyId;
  readonly userId: UserId;
  /** Given by its user. */
  readonly name: string;
  /** Unique. Base64url, as all keys and ids of WebAuthn here. */
  readonly credentialId: string;
  /** A COSE key in base64url. */
  readonly publicKey: string;
  /** How often the authenticator has signed; 0 if it does not count. */
  readonly counter: number;
  /** How a browser reaches the authenticator, such as `internal` or `usb`. */
  readonly transports: readonly string[];
  /** Whether it is synchronized to other devices. */
  readonly isBackedUp: boolean;
  readonly createdAt: EpochMs;
  /** Null if it has not been used yet. */
  readonly lastUsedAt: EpochMs | null;
}

/** The limit for one account. */
export const MAX_PASSKEYS = 20;

/** How long a challenge can be answered. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** A counter that stands still or goes back belongs to a copy of the authenticator. Many authenticators do not count. */
export function isCounterFresh(last: number, next: number): boolean {
  return next > last || (next === 0 && last === 0);
}
