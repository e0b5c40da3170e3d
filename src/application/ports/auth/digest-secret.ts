/**
 * Returns the SHA-256 of an API key, a refresh token or a recovery code as 64 lower-case hexadecimal digits
 * (Contract: §2). Safe for secrets of at least 80 random bits; passwords need a `PasswordHasher`.
 */
export type DigestSecret = (secret: string) => string;
