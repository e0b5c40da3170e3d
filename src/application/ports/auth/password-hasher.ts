/** Hashes a password exactly as typed: argon2id in PHC format with a new salt (Contract: §2). */
export type PasswordHasher = (password: string) => Promise<string>;
