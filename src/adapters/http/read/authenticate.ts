/** Contract: §2. */
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { type Admission, refuseClaim } from '#adapters/http/admission/admit-requests.ts';
import type { Problem } from '#adapters/http/answer/problem-status.ts';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { AuthenticatedEnv } from '#adapters/http/http-env.ts';
import type { CredentialVerifier } from '#application/ports/auth/credential-verifier.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { WithFreshness } from '#application/ports/freshness.ts';
import { API_KEY_FORMAT } from '#domain/access/api-key.ts';
import type { Caller } from '#domain/access/caller.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import type { FindClientAddress } from './client-address.ts';
import { POSITION_HEADER, readFreshness } from './read-position.ts';

export interface AuthenticateDeps {
  readonly credentials: CredentialVerifier;
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
  readonly clock: Clock;
  /** Absent: there is no replica, so reads never lag. */
  readonly withFreshness?: WithFreshness;
}

/**
 * Sets `call` and admits the request before its body is read. With replicas, the answer to a change carries
 * the position of the change (Contract: §15).
 */
export function makeAuthenticate(deps: AuthenticateDeps) {
  const { credentials, findClientAddress, admission, clock, withFreshness } = deps;
  return createMiddleware<AuthenticatedEnv>(async (c, next) => {
    const { headers, signal } = c.req.raw;
    const ip = findClientAddress(c);
    const began = clock();
    const sent = { authorization: headers.get('authorization'), apiKey: headers.get('x-api-key') };
    const caller = await admission.identify(ip, signal, () => findCaller(credentials, sent));
    if ('refusal' in caller) return refuseClaim(c, caller.refusal);
    if (!caller.ok) return respondProblem(c, caller.error.problem, caller.error.headers);
    c.set('call', {
      caller: caller.value,
      requestId: c.get('requestId'),
      ip,
      signal,
      reachNow: async () => {
        const now = await findCaller(credentials, sent, began);
        return now.ok ? now.value.scope : null;
      },
    });
    const freshness = readFreshness(c.req.method, routePath(c), headers.get(POSITION_HEADER));
    if (!freshness.ok) return respondProblem(c, freshness.error);
    if (withFreshness === undefined) return admission.admitCaller(c, caller.value, next);
    const { result, position } = await withFreshness(freshness.value, () =>
      admission.admitCaller(c, caller.value, next),
    );
    if (position !== null) (result ?? c.res).headers.set(POSITION_HEADER, position);
    return result;
  });
}

export type Authenticate = ReturnType<typeof makeAuthenticate>;

interface Refusal {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

interface SentCredentials {
  readonly authorization: string | null;
  readonly apiKey: string | null;
}

async function findCaller(
  credentials: CredentialVerifier,
  { authorization, apiKey }: SentCredentials,
  began?: EpochMs,
): Promise<Result<Caller, Refusal>> {
  if (authorization !== null && apiKey !== null) return err(TWO_CREDENTIALS);
  if (authorization !== null) {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) return err(MISSING);
    const caller = await credentials.verifyAccessToken(token, began);
    return caller === null ? err(INVALID_TOKEN) : ok(caller);
  }
  if (apiKey !== null) {
    const caller = API_KEY_FORMAT.test(apiKey) ? await credentials.verifyApiKey(apiKey, began) : null;
    return caller === null ? err(INVALID_API_KEY) : ok(caller);
  }
  return err(MISSING);
}

const BEARER = /^bearer +(\S+)$/i;

const MISSING = refuse(
  'Bearer',
  'Send an access token as "Authorization: Bearer <token>", or an API key as "X-API-Key: <key>".',
);
export const INVALID_TOKEN = refuse(
  'Bearer error="invalid_token"',
  'The access token is invalid, has expired or has been revoked.',
);
const INVALID_API_KEY = refuse('Bearer', 'The API key is unknown, has expired or has been revoked.');

export const TWO_CREDENTIALS: Refusal = {
  problem: {
    code: 'ambiguous_credentials',
    detail: 'Send either an access token or an API key, not both.',
  },
  headers: {},
};

function refuse(challenge: string, detail: string): Refusal {
  return { problem: { code: 'unauthenticated', detail }, headers: { 'WWW-Authenticate': challenge } };
}
