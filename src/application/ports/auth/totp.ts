/** One-time codes of authenticator apps (RFC 6238: SHA-1, 6 digits, 30 seconds; Contract: §2). */
import type { EpochMs } from '#domain/time.ts';

/** Secrets are in base32 throughout. */
export interface Totp {
  /** 160 random bits. */
  newSecret(): string;
  /** The `otpauth:` URI for the app's QR code; `account` is the user's email. */
  keyUri(secret: string, account: string): string;
  /**
   * The time step whose code this is: the current one, or the one before or after it; null if it is the code of none
   * of them. `code` is six ASCII digits.
   */
  findStep(secret: string, code: string, now: EpochMs): number | null;
}
