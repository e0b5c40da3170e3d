import type { TokenCarrier } from '#domain/access/session.ts';
import type { DigestSecret } from './digest-secret.ts';

export interface SecretGenerator {
  /** The carrier's prefix and 43 base64url characters (256 random bits). */
  refreshToken(carrier: TokenCarrier): string;
  /** 43 base64url characters. */
  salt(): string;
  /**
   * Derives the cookie token that follows `token`. It is deterministic, and unpredictable without both token and salt.
   */
  nextCookieToken(token: string, salt: string): string;
  /** Four groups of four characters (80 random bits). */
  recoveryCode(): string;
  /** `fsk_` and 43 base64url characters. */
  apiKey(): string;
  /** `fsl_` and 43 base64url characters. */
  linkToken(): string;
  /** `fse_` and 43 base64url characters. */
  enrolmentKey(): string;
  /** `whsec_` and 256 random bits in base64, as in Standard Webhooks. */
  webhookSecret(): string;
  readonly digest: DigestSecret;
}
