import type { UserId } from '#domain/ids.ts';

/**
 * Erases a person (Contract: §7, "Back office"). The row stays as a tombstone with id, tenant and status `deleted`.
 * Removed are email, name, password, permissions, second factors, sessions, API keys, links, identities at providers,
 * memberships, known networks, and texts about the person in requests and mails. Tokens and keys stop working. Works
 * within a transaction of system scope. No effect on unknown or erased accounts.
 */
export type AccountEraser = (userId: UserId) => Promise<void>;
