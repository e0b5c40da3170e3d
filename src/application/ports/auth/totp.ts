import type { EpochMs } from '#domain/time.ts';

/**
 * One-time codes of authenticator apps (RFC 6238 with SHA-1, 6 digits and 30 seconds; Contract: §2). Secrets are
 * base32.
 */
export interface Totp {
  /** Has 160 random bits. */
  newSecret(): string;
  /** The `otpauth:` URI for the QR code; `account` is the user's email. */
  keyUri(secret: string, account: string): string;
  /**
   * The code's time step; null unless it is the current one, the one before or the one after. `code` is six ASCII
   * digits.
   */
  findStep(secret: string, code: string, now: EpochMs): number | null;
}
