/**
 * SHA-256 as 64 lower-case hexadecimal digits (Contract: §2), for API keys, refresh tokens and recovery codes. Safe for
 * secrets of at least 80 random bits; passwords need a `PasswordHasher`.
 */
export type DigestSecret = (secret: string) => string;
