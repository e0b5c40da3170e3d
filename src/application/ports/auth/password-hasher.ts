/** Hashes a password exactly as typed: argon2id with a new salt, in PHC format (Contract: §2). */
export type PasswordHasher = (password: string) => Promise<string>;
