/** Distinguishes the service's own pages from other sites (Contract: §14). */
import { createMiddleware } from 'hono/factory';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { PasskeyAnswer } from '#application/auth/passkeys/check-passkey.ts';
import type { RelyingParty } from '#application/ports/auth/passkey-ceremonies.ts';
import { makeIsTrustedProxy } from './client-address.ts';

export interface OwnOriginDeps {
  /** Null means the address that each request names. */
  readonly baseUrl: string | null;
  readonly trustedProxies: readonly string[];
}

export interface OwnOrigin {
  /**
   * Answers 403 to other sites. Requests with neither `Origin` nor `Sec-Fetch-Site` are not from browsers, so
   * they pass.
   */
  readonly requireOwnOrigin: ReturnType<typeof createMiddleware<HttpEnv>>;
  isSecure(c: HttpContext): boolean;
  /** The site of BASE_URL or, without it, the one that the request names. */
  relyingPartyOf(c: HttpContext): RelyingParty;
  /** Adds the service's own site, to which the passkey must belong. */
  withPasskey<B extends { readonly passkey: unknown }>(
    c: HttpContext,
    body: B,
  ): Omit<B, 'passkey'> & { readonly passkey: PasskeyAnswer | null };
}

/** Throws if `baseUrl` is not a URL, or a trusted proxy is neither an address nor a CIDR block. */
export function makeOwnOrigin({ baseUrl, trustedProxies }: OwnOriginDeps): OwnOrigin {
  const base = baseUrl === null ? null : new URL(baseUrl);
  const isTrusted = makeIsTrustedProxy(trustedProxies);
  const protocolOf = (c: HttpContext): string => {
    const peer = (c.env as typeof c.env | undefined)?.incoming?.socket.remoteAddress;
    const forwarded = c.req.raw.headers.get('x-forwarded-proto');
    if (forwarded === null || peer === undefined || !isTrusted(peer)) return new URL(c.req.url).protocol;
    // The first value is from the proxy that the client reached.
    return `${forwarded.split(',')[0]?.trim().toLowerCase()}:`;
  };
  /** Null if the request's host cannot be part of an origin. */
  const requestOrigin = (c: HttpContext): string | null => {
    const host = c.req.raw.headers.get('host') ?? new URL(c.req.url).host;
    const url = URL.parse(`${protocolOf(c)}//${host}`);
    return url === null || url.origin === 'null' ? null : url.origin;
  };
  const relyingPartyOf = (c: HttpContext): RelyingParty => {
    const url = new URL(base?.origin ?? requestOrigin(c) ?? c.req.url);
    return { id: url.hostname, origin: url.origin };
  };
  return {
    requireOwnOrigin: createMiddleware<HttpEnv>(async (c, next) => {
      const { headers } = c.req.raw;
      const origin = headers.get('origin');
      const site = headers.get('sec-fetch-site');
      const isOwn = origin === null || origin === base?.origin || origin === requestOrigin(c);
      if (!isOwn) return respondProblem(c, FOREIGN_ORIGIN);
      if (site === 'cross-site' || site === 'same-site') return respondProblem(c, FOREIGN_SITE);
      return next();
    }),
    relyingPartyOf,
    withPasskey: (c, { passkey, ...body }) => ({
      ...body,
      passkey:
        passkey === undefined || passkey === null ? null : { response: passkey, party: relyingPartyOf(c) },
    }),
    isSecure: (c) => base?.protocol === 'https:' || protocolOf(c) === 'https:',
  };
}

const FOREIGN_ORIGIN = {
  code: 'forbidden',
  detail:
    "Origin is neither BASE_URL nor the address of this request; browser sessions are for the service's own pages. Other clients sign in with POST /auth/login.",
} as const;

const FOREIGN_SITE = {
  code: 'forbidden',
  detail:
    "Sec-Fetch-Site says that another site sent this request; browser sessions are for the service's own pages. Other clients sign in with POST /auth/login.",
} as const;
