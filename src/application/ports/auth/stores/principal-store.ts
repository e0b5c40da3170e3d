import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

/** Finds the user behind a credential, across tenants, because no caller is known yet. */
export interface PrincipalStore {
  /** With the organizations now in reach. Null if unknown or not active. */
  findUser(userId: UserId): Promise<Principal | null>;
  /**
   * By the key's SHA-256 (64 hexadecimal digits). Null if the key is unknown or its user not active. The caller checks
   * expiry and revocation.
   */
  findApiKey(keySha256: string): Promise<{ readonly grant: ApiKeyGrant; readonly user: Principal } | null>;
}
