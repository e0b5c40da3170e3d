export interface PasswordVerdict {
  readonly matches: boolean;
  /** The hash is weaker than new ones, so it should be replaced. */
  readonly isOutdated: boolean;
}

/**
 * Who asks for a check. `client` is, for example, an IP address, and `site` its network. Sites take turns, and so do
 * the clients of one site.
 */
export interface PasswordClaimant {
  readonly site: string;
  readonly client: string;
}

/**
 * Checks a password against a stored hash (Contract: §2). A null hash (unknown user, or no password) or a malformed one
 * never matches, but takes the usual time, so timing reveals no account. Rejects with {@link PasswordQueueFullError} if
 * too many of the claimant's checks wait.
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
