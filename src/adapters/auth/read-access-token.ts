/** RFC 9068; Contract: §2. */
import { hash } from 'node:crypto';
import { type CryptoKey, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Clock } from '#application/ports/clock.ts';
import { parseId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import {
  type AccessTokenClaims,
  TOKEN_ALGORITHM,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from './issue-access-token.ts';
import type { TokenKeys } from './token-keys.ts';

/** Null unless the token is valid at `at` (default: now). Callers must check the user's status and auth epoch. */
export type ReadAccessToken = (token: string, at?: EpochMs) => Promise<AccessTokenClaims | null>;

export interface ReadAccessTokenDeps {
  readonly keys: TokenKeys;
  readonly clock: Clock;
}

/** Longer tokens are refused unread. Our tokens have some 500 characters. */
const MAX_TOKEN_CHARACTERS = 4_096;

/** How far an issuer's clock may be ahead. Expiry has no tolerance. */
const CLOCK_TOLERANCE_SECONDS = 5;

const MAX_VERIFIED_TOKENS = 10_000;

/** jose ignores white space and the unused bits at the end of a signature, so an altered token would pass. */
const TOKEN_FORMAT = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;

/** Strict, because our tokens have no `jwk`, `jku`, `x5c`, `x5u` or `crit`. */
const HEADER = v.strictObject({
  alg: v.literal(TOKEN_ALGORITHM),
  typ: v.literal(TOKEN_TYPE),
  kid: v.pipe(v.string(), v.nonEmpty()),
});

const SECONDS = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const CLAIMS = v.object({
  sub: v.string(),
  jti: v.pipe(v.string(), v.nonEmpty()),
  sid: v.pipe(v.string(), v.nonEmpty()),
  aep: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  iat: SECONDS,
  exp: SECONDS,
  mfa_at: v.optional(SECONDS),
  mep: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
});

interface VerifiedToken {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
  readonly issuedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

export function makeReadAccessToken({ keys, clock }: ReadAccessTokenDeps): ReadAccessToken {
  const verified = new LRUCache<string, VerifiedToken>({ max: MAX_VERIFIED_TOKENS });
  return async (token, at = clock()) => {
    if (token.length > MAX_TOKEN_CHARACTERS) return null;
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    const kid = known === undefined ? readKeyId(token) : known.kid;
    if (kid === null) return null;
    const key = await keys.verificationKey(kid);
    if (key === null) return null;
    const good = known ?? (await verifyToken(token, kid, key, at));
    if (good === null) return null;
    if (!isTimely(good, at)) {
      verified.delete(digest);
      return null;
    }
    if (known === undefined) verified.set(digest, good);
    return good.claims;
  };
}

function readKeyId(token: string): string | null {
  const header = v.safeParse(HEADER, TOKEN_FORMAT.test(token) ? decodeHeader(token) : null);
  return header.success ? header.output.kid : null;
}

function decodeHeader(token: string): unknown {
  try {
    return decodeProtectedHeader(token);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function verifyToken(
  token: string,
  kid: string,
  key: CryptoKey,
  now: EpochMs,
): Promise<VerifiedToken | null> {
  const payload = await verifySignature(token, key, now);
  const claims = v.safeParse(CLAIMS, payload);
  if (!claims.success) return null;
  const { sub, sid, aep, iat, exp, mfa_at, mep } = claims.output;
  const userId = parseId<'user'>(sub);
  if (userId === null) return null;
  return {
    kid,
    claims: {
      userId,
      sessionId: sid,
      authEpoch: aep,
      mfaVerifiedAt: mfa_at === undefined ? null : mfa_at * 1_000,
      mfaEpoch: mep ?? null,
    },
    issuedAt: iat * 1_000,
    expiresAt: exp * 1_000,
  };
}

async function verifySignature(token: string, key: CryptoKey, now: EpochMs): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      typ: TOKEN_TYPE,
      requiredClaims: ['exp', 'iat', 'sub', 'jti', 'iss', 'aud'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function isTimely({ issuedAt, expiresAt }: VerifiedToken, now: EpochMs): boolean {
  return issuedAt <= now + CLOCK_TOLERANCE_SECONDS * 1_000 && now < expiresAt;
}
