/** API keys and access tokens, turned into the caller they stand for as things are now (Contract: §2). */
import { LRUCache } from 'lru-cache';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { PrincipalStore } from '#application/ports/auth/stores/principal-store.ts';
import type { Clock } from '#application/ports/clock.ts';
import { API_KEY_FORMAT, callerOfApiKey } from '#domain/access/api-key.ts';
import { callerOfSession, type Principal } from '#domain/access/principal.ts';
import type { UserId } from '#domain/ids.ts';
import type { AccessTokenClaims } from './access-token.ts';
import { digestSecret } from './digest-secret.ts';
import { type MonotonicClock, readMonotonicMs } from './monotonic-clock.ts';
import { makeReadAccessToken } from './read-access-token.ts';
import { makeSingleFlightCache } from './single-flight-cache.ts';
import type { TokenKeys } from './token-keys.ts';

export interface CredentialVerifierDeps {
  readonly principals: PrincipalStore;
  readonly keys: TokenKeys;
  readonly clock: Clock;
  /** How long what the store said of a user or a key is good for; 0 to 1,000, 500 where absent. */
  readonly maxAgeMs?: number;
  /** For tests; the process's own where absent. */
  readonly monotonicMs?: MonotonicClock;
}

const DEFAULT_MAX_AGE_MS = 500;

/** Contract: §2, "takes effect within one second". */
const LONGEST_MAX_AGE_MS = 1_000;

/** A user with many organizations is some tens of kilobytes; far more than are active in half a second. */
const MAX_CACHED_PRINCIPALS = 4_096;

/** A UUID or a digest each. */
const MAX_CACHED_ABSENCES = 10_000;

/** As many as one process changes within a second, and then some. */
const MAX_RECENT_CHANGES = 10_000;

/** A verifier that can forget a user, so that a change takes effect before its cache has aged. */
export interface CachingCredentialVerifier extends CredentialVerifier {
  /** From now on, nothing that was read of the user before counts; null: of anybody. */
  forget(userId: UserId | null): void;
}

/** Rejects where a store does: an outage is never answered as an unknown credential, nor with an old caller. */
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
    ...limits,
  });
  const findUser = makeSingleFlightCache({
    read: (userId: UserId) => principals.findUser(userId),
    ...limits,
  });
  const readToken = makeReadAccessToken({ keys, clock });
  /** When users were last forgotten, for as long as that matters. */
  const changes = new LRUCache<UserId, number>({ max: MAX_RECENT_CHANGES });
  let allChangedAtMs = Number.NEGATIVE_INFINITY;

  return {
    async verifyApiKey(key, began = clock()) {
      if (!API_KEY_FORMAT.test(key)) return null;
      const earliest = Math.max(monotonicMs() - maxAgeMs, allChangedAtMs);
      const digest = digestSecret(key);
      const recent = await findApiKey(digest, earliest);
      // Only the answer says whose key it is.
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

/**
 * A token of a later epoch than the cached one was issued since: whoever changed a password or set up MFA, and
 * signed in again, must not wait for the cache.
 */
function isOutdated(user: Principal, { authEpoch, mfaEpoch }: AccessTokenClaims): boolean {
  return user.authEpoch < authEpoch || (mfaEpoch !== null && user.mfaEpoch < mfaEpoch);
}
