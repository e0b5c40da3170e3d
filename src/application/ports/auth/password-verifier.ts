/** Checks a password against a stored hash (Contract: §2). */

/** The outcome of a check. */
export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether the hash has weaker parameters than new ones get. */
  readonly isOutdated: boolean;
}

/**
 * A malformed hash matches nothing, nor does null, for a user who is unknown or has no password. Both take as long
 * as a good one, so that response times do not reveal who has an account.
 */
export type PasswordVerifier = (storedHash: string | null, password: string) => Promise<PasswordVerdict>;
