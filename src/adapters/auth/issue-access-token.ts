/** RFC 9068; Contract: §2. */
import { SignJWT } from 'jose';
import type { IssueAccessToken } from '#application/ports/auth/access-token-issuer.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { TokenKeys } from './token-keys.ts';

export const TOKEN_ISSUER = 'urn:fleetsift';
export const TOKEN_AUDIENCE = 'urn:fleetsift:api';
export const TOKEN_TYPE = 'at+jwt';

/** Ed25519 under its JOSE name (RFC 8037). */
export const TOKEN_ALGORITHM = 'EdDSA';

export interface AccessTokenClaims {
  readonly userId: UserId;
  readonly sessionId: string;
  /** Claim `aep`. Tokens of an earlier epoch are void. */
  readonly authEpoch: number;
  /** Claim `mfa_at`, in whole seconds. */
  readonly mfaVerifiedAt: EpochMs | null;
  readonly mfaEpoch: number | null;
}

export interface IssueAccessTokenDeps {
  readonly keys: TokenKeys;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  /** At least one second, and at most `keys.tokenLifetimeMs`. */
  readonly lifetimeMs: number;
}

export function makeIssueAccessToken({
  keys,
  clock,
  newId,
  lifetimeMs,
}: IssueAccessTokenDeps): IssueAccessToken {
  if (!(lifetimeMs >= 1_000 && lifetimeMs <= keys.tokenLifetimeMs)) {
    throw new RangeError(
      `lifetimeMs must be from 1000 to the ${keys.tokenLifetimeMs} that keys outlive, not ${lifetimeMs}`,
    );
  }
  const expiresIn = wholeSeconds(lifetimeMs);
  return async ({ userId, sessionId, authEpoch, mfa = null }) => {
    const { kid, key } = await keys.signingKey();
    const issuedAt = wholeSeconds(clock());
    const token = await new SignJWT({
      sid: sessionId,
      aep: authEpoch,
      ...(mfa !== null && { mfa_at: wholeSeconds(mfa.verifiedAt), mep: mfa.epoch }),
    })
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: TOKEN_TYPE, kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(userId)
      .setJti(newId())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + expiresIn)
      .sign(key);
    return { token, expiresIn };
  };
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
