/** The form in which random secrets are stored and looked up: API keys, refresh tokens and recovery codes. */

/**
 * SHA-256, as 64 lower-case hexadecimal digits (Contract: §2). Enough for secrets of 80 random bits and more, which
 * nobody can guess; passwords need a `PasswordHasher`.
 */
export type DigestSecret = (secret: string) => string;
