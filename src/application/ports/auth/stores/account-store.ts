/** Users and API keys as the operator's commands create and list them; not limited to any tenant. */
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import type { ApiKeyRecord, Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';

/** `unknown-…`: the record refers to something that does not exist or, for a user, is not active. */
export type AccountRefusal = 'email-taken' | 'unknown-organization' | 'unknown-partner' | 'unknown-user';

/** A user as the operator sees them. */
export interface AccountSummary extends Pick<UserRecord, 'id' | 'email' | 'name' | 'isPlatformAdmin'> {
  readonly status: 'active' | 'disabled';
  readonly membership: Membership;
  /** In alphabetical order. */
  readonly permissions: readonly string[];
  readonly isMfaEnrolled: boolean;
}

/** Each call is one transaction, in which the entry is recorded if the change is made. Passwords are stored as argon2id hashes, keys as their SHA-256. */
export interface AccountStore {
  /** Adds a user; `email-taken` if an active user has this email, in any case. */
  createUser(user: UserRecord, entry?: AuditEntry): Promise<Result<void, AccountRefusal>>;
  /** Adds a key for an existing user. */
  createApiKey(key: ApiKeyRecord, entry?: AuditEntry): Promise<Result<void, AccountRefusal>>;
  /** The id of the active user with this email, in any case; null if there is none. */
  findUserByEmail(email: string): Promise<UserRecord['id'] | null>;
  /** Every user, or those of one organization (not its partner's staff), by email and id; erased ones are none. */
  listUsers(orgId: OrgId | null): Promise<readonly AccountSummary[]>;
  /** The users with this email, in any case: at most one is active. */
  findAccounts(email: string): Promise<readonly AccountSummary[]>;
}
