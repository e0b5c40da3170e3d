/** Takes a person out of everything that is stored (Contract: §7, "Back office"). */
import type { UserId } from '#domain/ids.ts';

/**
 * Leaves the account's row as a tombstone: its id, where it belonged, and status deleted. Gone are email, name,
 * password, permissions, MFA, sessions, API keys and memberships, what others wrote about the person in requests
 * and mails, and what was counted against their attempts; tokens and keys that are out stop working. Part of a
 * transaction, within the system scope only. An account that is erased already, or not known, stays as it is.
 */
export type AccountEraser = (userId: UserId) => Promise<void>;
