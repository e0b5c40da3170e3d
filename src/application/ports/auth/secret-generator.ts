import type { TokenCarrier } from '#domain/access/session.ts';
import type { DigestSecret } from './digest-secret.ts';

/** Generates random secrets, and the digests that are stored. */
export interface SecretGenerator {
  /** The carrier's prefix and 43 base64url characters: 256 random bits. */
  refreshToken(carrier: TokenCarrier): string;
  /** 43 base64url characters: 256 random bits. */
  salt(): string;
  /** The cookie token that follows `token`: deterministic, and unpredictable without both token and salt. */
  nextCookieToken(token: string, salt: string): string;
  /** Four groups of four characters: 80 random bits. */
  recoveryCode(): string;
  /** `fsk_` and 43 base64url characters: 256 random bits. */
  apiKey(): string;
  /** `fsl_` and 43 base64url characters: 256 random bits. */
  linkToken(): string;
  /** `fse_` and 43 base64url characters: 256 random bits. */
  enrolmentKey(): string;
  /** `whsec_` and 256 random bits in base64, as Standard Webhooks has it. */
  webhookSecret(): string;
  readonly digest: DigestSecret;
}
