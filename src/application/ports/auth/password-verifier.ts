/** Tells whether a password is the one that a stored hash was made from (Contract: §2). */

export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether the hash was made with weaker parameters than hashes are made with now. */
  readonly isOutdated: boolean;
}

/**
 * A hash that is malformed, or null for somebody who has none or is not known, matches nothing, and takes as long
 * as one that is good: how long an answer takes says nothing of who has an account.
 */
export type PasswordVerifier = (storedHash: string | null, password: string) => Promise<PasswordVerdict>;
