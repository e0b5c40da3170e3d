/** Generates secrets that a person or a program keeps, and the digests that are stored of them. */
import type { TokenCarrier } from '#domain/access/session.ts';
import type { DigestSecret } from './digest-secret.ts';

/** Makes secrets that nobody can foresee, and what is stored of them. */
export interface SecretGenerator {
  /** 43 base64url characters, 256 random bits, after the prefix of the carrier. */
  refreshToken(carrier: TokenCarrier): string;
  /** 43 base64url characters: 256 random bits. */
  salt(): string;
  /**
   * The cookie token that replaces another one: always the same for the same token and salt, and not to be known by
   * whoever has only one of them.
   */
  nextCookieToken(token: string, salt: string): string;
  /** Four groups of four characters: 80 random bits. */
  recoveryCode(): string;
  /** `fsk_` and 43 base64url characters: 256 random bits. */
  apiKey(): string;
  /** `fse_` and 43 base64url characters: 256 random bits. */
  enrolmentKey(): string;
  readonly digest: DigestSecret;
}
