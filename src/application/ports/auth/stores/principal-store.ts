import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

/** Finds the user behind a credential in all tenants, because no caller is known yet. */
export interface PrincipalStore {
  /** Includes the organizations now in reach. Null if the user is unknown or not active. */
  findUser(userId: UserId): Promise<Principal | null>;
  /**
   * Finds a key by its SHA-256 (64 hexadecimal digits). Null if the key is unknown or its user is not active. The
   * caller must check expiry and revocation.
   */
  findApiKey(keySha256: string): Promise<{ readonly grant: ApiKeyGrant; readonly user: Principal } | null>;
}
