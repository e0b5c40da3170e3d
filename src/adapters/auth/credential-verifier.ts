/** Contract: §2. */
import { LRUCache } from 'lru-cache';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import { reachableOrgIds } from '#domain/access/access-scope.ts';
import { API_KEY_FORMAT, callerOfApiKey } from '#domain/access/api-key.ts';
import { callerOfSession, type Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';
import type { AccessTokenClaims } from './issue-access-token.ts';
import { makeReadAccessToken } from './read-access-token.ts';
import { digestSecret } from './secret-generator.ts';
import { type MonotonicClock, makeSingleFlightCache, readMonotonicMs } from './single-flight-cache.ts';
import type { TokenKeys } from './token-keys.ts';

export interface CredentialVerifierDeps {
  readonly principals: PrincipalStore;
  readonly keys: TokenKeys;
  readonly clock: Clock;
  /** How old a cached answer may be, from 0 to 1,000. Default: 500. */
  readonly maxAgeMs?: number;
  readonly monotonicMs?: MonotonicClock;
}

const DEFAULT_MAX_AGE_MS = 500;

/** Contract, §2: a change of rights "takes effect within one second". */
const LONGEST_MAX_AGE_MS = 1_000;

const MAX_CACHED_PRINCIPALS = 4_096;

/** A principal with many organizations takes tens of kilobytes. */
const MAX_CACHED_BYTES = 16 * 1_048_576;

const MAX_CACHED_ABSENCES = 10_000;

const MAX_RECENT_CHANGES = 10_000;

export interface CachingCredentialVerifier extends CredentialVerifier {
  /** Null forgets all users. */
  forget(userId: UserId | null): void;
}

/** Rejects if a store fails, so an outage is never mistaken for an unknown credential. */
export function makeCredentialVerifier({
  principals,
  keys,
  clock,
  maxAgeMs = DEFAULT_MAX_AGE_MS,
  monotonicMs = readMonotonicMs,
}: CredentialVerifierDeps): CachingCredentialVerifier {
  if (!(maxAgeMs >= 0 && maxAgeMs <= LONGEST_MAX_AGE_MS)) {
    throw new RangeError(`maxAgeMs must be from 0 to ${LONGEST_MAX_AGE_MS}, not ${maxAgeMs}`);
  }
  const limits = { monotonicMs, maxFound: MAX_CACHED_PRINCIPALS, maxAbsent: MAX_CACHED_ABSENCES };
  const findApiKey = makeSingleFlightCache({
    read: (keySha256: string) => principals.findApiKey(keySha256),
    bytes: { max: MAX_CACHED_BYTES, of: (match) => bytesOf(match?.user) },
    ...limits,
  });
  const findUser = makeSingleFlightCache({
    read: (userId: UserId) => principals.findUser(userId),
    bytes: { max: MAX_CACHED_BYTES, of: (user) => bytesOf(user) },
    ...limits,
  });
  const readToken = makeReadAccessToken({ keys, clock });
  const changes = new LRUCache<UserId, number>({ max: MAX_RECENT_CHANGES });
  let allChangedAtMs = Number.NEGATIVE_INFINITY;

  return {
    async verifyApiKey(key, began = clock()) {
      if (!API_KEY_FORMAT.test(key)) return null;
      const earliest = Math.max(monotonicMs() - maxAgeMs, allChangedAtMs);
      const digest = digestSecret(key);
      const recent = await findApiKey(digest, earliest);
      // Only `recent` tells which user has the key. If that user changed after `earliest`, the key is read again.
      const changedAtMs = recent === null ? undefined : changes.get(recent.user.userId);
      const isChanged = changedAtMs !== undefined && changedAtMs > earliest;
      const match = isChanged ? await findApiKey(digest, changedAtMs) : recent;
      return match === null ? null : callerOfApiKey(match.grant, match.user, began);
    },

    async verifyAccessToken(token, began = clock()) {
      const askedAtMs = monotonicMs();
      const claims = await readToken(token, began);
      if (claims === null) return null;
      const changedAtMs = Math.max(allChangedAtMs, changes.get(claims.userId) ?? Number.NEGATIVE_INFINITY);
      const recent = await findUser(claims.userId, Math.max(askedAtMs - maxAgeMs, changedAtMs));
      const user =
        recent !== null && isOutdated(recent, claims) ? await findUser(claims.userId, askedAtMs) : recent;
      return user?.authEpoch === claims.authEpoch ? callerOfSession(user, claims) : null;
    },

    forget(userId) {
      if (userId === null) allChangedAtMs = monotonicMs();
      else changes.set(userId, monotonicMs());
    },
  };
}

/** About what a cached principal takes: an id needs 60 bytes, everything else 500. */
function bytesOf(user: Principal | null | undefined): number {
  if (user == null) return 500;
  const ids = (reachableOrgIds(user.scope)?.length ?? 0) + user.endedSessionIds.size;
  return 500 + 60 * ids;
}

/** True if the cached user is older than a change of password or MFA that the token already reflects. */
function isOutdated(user: Principal, { authEpoch, mfaEpoch }: AccessTokenClaims): boolean {
  return user.authEpoch < authEpoch || (mfaEpoch !== null && user.mfaEpoch < mfaEpoch);
}
