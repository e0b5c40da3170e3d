/** Creates users and API keys for the operator's `admin create` and `key create`; not limited to any tenant. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ApiKeyRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';

/** `unknown-…`: the record refers to something that does not exist or, for a user, is not active. */
export type AccountRefusal = 'email-taken' | 'unknown-organization' | 'unknown-partner' | 'unknown-user';

/** Each call is one transaction, in which the entry is recorded if the change is made. Passwords are stored as argon2id hashes, keys as their SHA-256. */
export interface AccountStore {
  /** Adds a user; `email-taken` if an active user has this email, in any case. */
  createUser(user: UserRecord, entry?: AuditEntry): Promise<Result<void, AccountRefusal>>;
  /** Adds a key for an existing user. */
  createApiKey(key: ApiKeyRecord, entry?: AuditEntry): Promise<Result<void, AccountRefusal>>;
  /** The id of the active user with this email, in any case; null if there is none. */
  findUserByEmail(email: string): Promise<UserRecord['id'] | null>;
}
