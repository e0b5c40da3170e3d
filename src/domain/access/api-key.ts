import type { ApiKeyId, OrgId } from '#domain/ids.ts';
import { intersect } from '#domain/sets.ts';
import type { EpochMs } from '#domain/time.ts';
import { narrowTo } from './access-scope.ts';
import type { Caller } from './caller.ts';
import type { Principal } from './principal.ts';

/** What an API key allows: never more than its user may do (Contract: §2). */
export interface ApiKeyGrant {
  readonly id: ApiKeyId;
  /** The only organization that the key reaches, as long as its user does. Null: all that the user reaches. */
  readonly orgId: OrgId | null;
  readonly permissions: ReadonlySet<string>;
  readonly expiresAt: EpochMs | null;
  readonly isRevoked: boolean;
}

/** `fsk_` and 32 random bytes in base64url. */
export const API_KEY_FORMAT = /^fsk_[A-Za-z0-9_-]{43}$/;

/** Null if the key has expired or been revoked. */
export function callerOfApiKey(grant: ApiKeyGrant, user: Principal, now: EpochMs): Caller | null {
  if (grant.isRevoked || (grant.expiresAt !== null && grant.expiresAt <= now)) return null;
  return {
    userId: user.userId,
    credential: { kind: 'api-key', apiKeyId: grant.id },
    scope: grant.orgId === null ? user.scope : narrowTo(user.scope, grant.orgId),
    permissions: intersect(grant.permissions, user.permissions),
    // A key of one organization never acts for the platform.
    isPlatformAdmin: user.isPlatformAdmin && grant.orgId === null,
  };
}
