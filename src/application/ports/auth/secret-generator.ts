/** Generates secrets that a person or a program keeps, and the digests that are stored of them. */
import type { DigestSecret } from './digest-secret.ts';

export interface SecretGenerator {
  /** `fsr_` and 43 base64url characters: 256 random bits. */
  refreshToken(): string;
  /** Four groups of four characters: 80 random bits. */
  recoveryCode(): string;
  /** `fsk_` and 43 base64url characters: 256 random bits. */
  apiKey(): string;
  readonly digest: DigestSecret;
}
