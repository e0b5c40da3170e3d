/** Passkeys: WebAuthn credentials that are both factors at once (Contract: §16). */
import type { PasskeyId, UserId } from '#domain/ids.ts';
import { type EpochMs, MINUTE_MS } from '#domain/time.ts';

export interface Passkey {
  readonly id: PasskeyId;
  readonly userId: UserId;
  readonly name: string;
  /** Unique, in base64url. */
  readonly credentialId: string;
  /** A COSE key in base64url. */
  readonly publicKey: string;
  /** How many signatures the authenticator has made; 0 if it does not count them. */
  readonly counter: number;
  /** For example `internal` or `usb`. */
  readonly transports: readonly string[];
  /** Whether the passkey is synchronized to other devices. */
  readonly isBackedUp: boolean;
  readonly createdAt: EpochMs;
  readonly lastUsedAt: EpochMs | null;
}

/** Per account. */
export const MAX_PASSKEYS = 20;

/** How long the browser may take to answer a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** A counter that does not grow means a copied authenticator. Many authenticators do not count and always send 0. */
export function isCounterFresh(last: number, next: number): boolean {
  return next > last || (next === 0 && last === 0);
}
