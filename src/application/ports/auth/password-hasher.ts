/** Turns a password, as typed, into what may be stored: an argon2id hash in PHC format (Contract: §2). */
export type PasswordHasher = (password: string) => Promise<string>;
