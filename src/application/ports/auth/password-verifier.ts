export interface PasswordVerdict {
  readonly matches: boolean;
  /** Whether new hashes have stronger parameters. */
  readonly isOutdated: boolean;
}

/** A client at a site, such as an address in a network. Sites take turns, and so do the clients of a site. */
export interface PasswordClaimant {
  readonly site: string;
  readonly client: string;
}

/**
 * Checks a password against a stored hash (Contract: §2). A malformed hash never matches, nor does null (unknown
 * user, or no password). Both take as long as a valid hash, so timing reveals no account. Rejects with {@link
 * PasswordQueueFullError} if too many checks of the claimant are waiting.
 */
export type PasswordVerifier = (
  storedHash: string | null,
  password: string,
  claimant: PasswordClaimant,
) => Promise<PasswordVerdict>;

/** Too many of the claimant's checks are waiting, or one waited too long. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';

  constructor() {
    super('too many passwords are waiting to be checked');
  }
}
