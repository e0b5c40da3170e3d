import type { UserId } from '#domain/ids.ts';

/**
 * Erases a person (Contract: §7, "Back office"). Works within a transaction of system scope. No effect on
 * unknown or erased accounts.
 * - The row stays as a tombstone with id, tenant and status `deleted`.
 * - Email, name, password, permissions, second factors, sessions, API keys, links, identities at providers,
 *   memberships and known networks are removed. So are texts about the person in requests and mails.
 * - The person is no longer a recipient of any subscription.
 * - Tokens and keys stop working.
 */
export type AccountEraser = (userId: UserId) => Promise<void>;
