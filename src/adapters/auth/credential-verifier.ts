/** API keys and access tokens, turned into the caller they stand for as things are now (Contract: §2). */
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { PrincipalStore } from '#application/ports/auth/principal-store.ts';
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

/** Rejects where a store does: an outage is never answered as an unknown credential, nor with an old caller. */
export function makeCredentialVerifier({
  principals,
  keys,
  clock,
  maxAgeMs = DEFAULT_MAX_AGE_MS,
  monotonicMs = readMonotonicMs,
}: CredentialVerifierDeps): CredentialVerifier {
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

  return {
    async verifyApiKey(key) {
      if (!API_KEY_FORMAT.test(key)) return null;
      const match = await findApiKey(digestSecret(key), monotonicMs() - maxAgeMs);
      return match === null ? null : callerOfApiKey(match.grant, match.user, clock());
    },

    async verifyAccessToken(token) {
      const askedAtMs = monotonicMs();
      const claims = await readToken(token);
      if (claims === null) return null;
      const recent = await findUser(claims.userId, askedAtMs - maxAgeMs);
      const user =
        recent !== null && isOutdated(recent, claims) ? await findUser(claims.userId, askedAtMs) : recent;
      return user?.authEpoch === claims.authEpoch ? callerOfSession(user, claims) : null;
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
