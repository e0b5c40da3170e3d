/** Looks up who a credential stands for, before any tenant is known. */
import type { ApiKeyGrant } from '#domain/access/api-key.ts';
import type { Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';

export interface PrincipalStore {
  /** The user with the organizations in reach as they are now; null where unknown or not active. */
  findUser(userId: UserId): Promise<Principal | null>;
  /** The key with this SHA-256 (64 hexadecimal digits) and its user; null where unknown or the user not active. */
  findApiKey(keySha256: string): Promise<{ readonly grant: ApiKeyGrant; readonly user: Principal } | null>;
}
