/** The API keys that a user has made. */
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ApiKeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** A key without its secret. */
export interface ApiKeySummary
  extends Pick<ApiKeyRecord, 'id' | 'name' | 'orgId' | 'permissions' | 'expiresAt'> {
  readonly createdAt: EpochMs;
}

export interface ApiKeyReader {
  /** The user's keys that are not revoked, expired ones included, newest first. */
  list(userId: UserId): Promise<readonly ApiKeySummary[]>;
}

/** Within a transaction of system scope. */
export interface ApiKeyWriter {
  add(key: ApiKeyRecord, createdAt: EpochMs): Promise<void>;
  /** False where the user has no such key, or it is revoked already. */
  revoke(userId: UserId, id: ApiKeyId, at: EpochMs): Promise<boolean>;
}
