import type { AccessScope } from '#domain/access/access-scope.ts';
import type { ApiKeyRecord } from '#domain/fleet/fleet-record.ts';
import type { ApiKeyId, UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

export interface ApiKeySummary
  extends Pick<ApiKeyRecord, 'id' | 'name' | 'orgId' | 'permissions' | 'expiresAt'> {
  readonly createdAt: EpochMs;
}

export interface ApiKeyReader {
  /**
   * The user's keys, newest first, with expired but without revoked ones. Empty if the user is out of reach. The
   * default scope is the system.
   */
  list(userId: UserId, scope?: AccessScope): Promise<readonly ApiKeySummary[]>;
}

/** Works within a transaction of system scope. */
export interface ApiKeyWriter {
  /** The user must exist. Only the secret's SHA-256 is stored. */
  add(key: ApiKeyRecord, createdAt: EpochMs): Promise<void>;
  /** Revokes the user's key and returns its name. Null if there is none or it is already revoked. */
  revoke(userId: UserId, id: ApiKeyId, at: EpochMs): Promise<Pick<ApiKeySummary, 'name'> | null>;
}
