/** Creates users and API keys: what `admin create` and `key create` use. */
import type { ApiKeyRecord, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { Result } from '#domain/result.ts';

export type AccountRefusal = 'email-taken' | 'unknown-organization' | 'unknown-partner' | 'unknown-user';

/** Passwords are stored as argon2id hashes, keys as their SHA-256; each call is one transaction. */
export interface AccountStore {
  /** Refuses an email that an active user has, in any case. */
  createUser(user: UserRecord): Promise<Result<void, AccountRefusal>>;
  createApiKey(key: ApiKeyRecord): Promise<Result<void, AccountRefusal>>;
  /** The id of the active user with this email, in any case; null where there is none. */
  findUserByEmail(email: string): Promise<UserRecord['id'] | null>;
}
