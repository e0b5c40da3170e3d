/** Looks up the user behind a credential, across all tenants: no caller is known yet. */
import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

/** Looks up who a token or a key is of, as of now; not limited to any tenant. */
export interface PrincipalStore {
  /** The user, with the organizations that are in their reach now; null if unknown or not active. */
  findUser(userId: UserId): Promise<Principal | null>;
  /**
   * The key with this SHA-256 (64 hexadecimal digits) and its user; null if the key is unknown or the user not
   * active. Whether it has expired or been revoked is for the caller to check.
   */
  findApiKey(keySha256: string): Promise<{ readonly grant: ApiKeyGrant; readonly user: Principal } | null>;
}
