/** One-time codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds; Contract: §2). */
import type { EpochMs } from '#domain/time.ts';

export interface Totp {
  /** 160 random bits, in base32. */
  newSecret(): string;
  /** What a QR code for the app holds; `account` is the user's email. */
  keyUri(secret: string, account: string): string;
  /**
   * The time step that the code belongs to: the present one, or the one before or after it; null where it is the
   * code of none. `code` is six ASCII digits.
   */
  findStep(secret: string, code: string, now: EpochMs): number | null;
}
