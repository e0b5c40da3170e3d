import type { MakeChangeEntry } from '#application/ports/audit/audit-log.ts';
import type { ApiKeyRecord, Membership, UserRecord } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import type { ApiKeySummary } from './api-key-store.ts';

/** `unknown-…`: the record refers to something that does not exist, or to an inactive user. */
export type AccountRefusal = 'email-taken' | 'unknown-organization' | 'unknown-partner' | 'unknown-user';

export interface AccountSummary extends Pick<UserRecord, 'id' | 'email' | 'name' | 'isPlatformAdmin'> {
  readonly status: 'invited' | 'active' | 'disabled';
  readonly membership: Membership;
  /** In alphabetical order. */
  readonly permissions: readonly string[];
  readonly isMfaEnrolled: boolean;
}

export interface IssuedApiKey extends ApiKeySummary {
  readonly user: Pick<UserRecord, 'id' | 'email'>;
}

/**
 * Users and API keys of all tenants, for the operator's commands. Each call is one transaction, which also records the
 * entry of `makeEntry` if anything changes. Stores argon2id hashes of passwords and SHA-256 digests of keys.
 */
export interface AccountStore {
  /** `email-taken` if an active or invited user has this email, ignoring case. */
  createUser(user: UserRecord, makeEntry?: MakeChangeEntry): Promise<Result<void, AccountRefusal>>;
  createApiKey(key: ApiKeyRecord, makeEntry?: MakeChangeEntry): Promise<Result<void, AccountRefusal>>;
  /** The active user with this email, ignoring case. */
  findUserByEmail(email: string): Promise<UserRecord['id'] | null>;
  /**
   * Lists users by email, then id, without erased ones. With `orgId`, lists only users of that organization,
   * without its partner's staff.
   */
  listUsers(orgId: OrgId | null): Promise<readonly AccountSummary[]>;
  /** The keys of all users, newest first, with expired but without revoked ones. */
  listApiKeys(): Promise<readonly IssuedApiKey[]>;
  /** Every account with this email, ignoring case. At most one is active. */
  findAccounts(email: string): Promise<readonly AccountSummary[]>;
}
