/** The API keys that a user has created. */
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ApiKeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A key without its secret. */
export interface ApiKeySummary
  extends Pick<ApiKeyRecord, 'id' | 'name' | 'orgId' | 'permissions' | 'expiresAt'> {
  readonly createdAt: EpochMs;
}

/** Keys as their user sees them. */
export interface ApiKeyReader {
  /** The user's keys that are not revoked, including expired ones, newest first; only their own. */
  list(userId: UserId): Promise<readonly ApiKeySummary[]>;
}

/** Used within a transaction of system scope. */
export interface ApiKeyWriter {
  /** Adds a key. Its user exists; only the SHA-256 of its secret is stored. */
  add(key: ApiKeyRecord, createdAt: EpochMs): Promise<void>;
  /** Revokes one of the user's keys and gives its name; null if they have no such key, or it is already revoked. */
  revoke(userId: UserId, id: ApiKeyId, at: EpochMs): Promise<Pick<ApiKeySummary, 'name'> | null>;
}
