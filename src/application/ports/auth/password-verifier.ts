export interface PasswordVerdict {
  readonly matches: boolean;
  /** New hashes have stronger parameters. */
  readonly isOutdated: boolean;
}

/** A client at a site, such as an address in a network. Sites take turns, and so do the clients of a site. */
export interface PasswordClaimant {
  readonly site: string;
  readonly client: string;
}

/**
 * Checks a password against a stored hash (Contract: §2). Null (unknown user, or no password) and malformed hashes
 * never match, after the same time, so timing reveals no account. Rejects with {@link PasswordQueueFullError} if too
 * many of the claimant's checks wait.
 */
export type PasswordVerifier = (
  storedHash: string | null,
  password: string,
  claimant: PasswordClaimant,
) => Promise<PasswordVerdict>;

/** Too many of the claimant's checks wait, or one waited too long. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';

  constructor() {
    super('too many passwords are waiting to be checked');
  }
}
