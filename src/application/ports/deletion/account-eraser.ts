/** Removes a person from everything that is stored (Contract: §7, "Back office"). */
import type { UserId } from '#domain/ids.ts';

/**
 * Leaves the account's row as a tombstone with its id, the tenant it belonged to and status deleted. Removes email,
 * name, password, permissions, MFA, sessions, API keys, memberships and the networks they signed in from, what was written about the person in requests
 * and mails, and their counted attempts; issued tokens and keys stop working. Part of a transaction of system scope.
 * No effect on an account that is unknown or already erased.
 */
export type AccountEraser = (userId: UserId) => Promise<void>;
