/** Makes secrets that a person or a program keeps, and the form in which they are stored. */
export interface SecretGenerator {
  /** `fsr_` and 43 base64url characters: 256 random bits. */
  refreshToken(): string;
  /** Four groups of four characters: 80 random bits. */
  recoveryCode(): string;
  /** `fsk_` and 43 base64url characters: 256 random bits. */
  apiKey(): string;
  /** SHA-256, as 64 lower-case hexadecimal digits: enough for secrets of that many random bits. */
  digest(secret: string): string;
}
