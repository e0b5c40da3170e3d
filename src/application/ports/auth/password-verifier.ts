/** Checks a password against a stored hash (Contract: §2). */

/** The outcome of a check. */
export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether the hash has weaker parameters than new ones get. */
  readonly isOutdated: boolean;
}

/** Who waits for a check: somebody at a site, such as a client in a network. Sites take turns, and so do those at one. */
export interface PasswordClaimant {
  readonly site: string;
  readonly client: string;
}

/**
 * A malformed hash matches nothing, nor does null, for a user who is unknown or has no password. Both take as long
 * as a good one, so that response times do not reveal who has an account. Rejects with a
 * {@link PasswordQueueFullError} if too many checks of the claimant are waiting already.
 */
export type PasswordVerifier = (
  storedHash: string | null,
  password: string,
  claimant: PasswordClaimant,
) => Promise<PasswordVerdict>;

/** Too many passwords of one claimant are waiting to be checked, or one has waited for too long. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';

  constructor() {
    super('too many passwords are waiting to be checked');
  }
}
