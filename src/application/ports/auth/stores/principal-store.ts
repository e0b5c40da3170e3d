import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

/** Finds the user behind a credential, across tenants: no caller is known yet. */
export interface PrincipalStore {
  /** With the organizations now in reach; null if unknown or not active. */
  findUser(userId: UserId): Promise<Principal | null>;
  /**
   * By SHA-256 (64 hexadecimal digits); null if the key is unknown or the user not active. The caller checks expiry
   * and revocation.
   */
  findApiKey(keySha256: string): Promise<{ readonly grant: ApiKeyGrant; readonly user: Principal } | null>;
}
