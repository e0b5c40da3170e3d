/** Tells requests of the service's own pages from those that other sites make a browser send (Contract: §14). */
import { createMiddleware } from 'hono/factory';
import { respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { makeIsTrustedProxy } from './client-address.ts';

export interface OwnOriginDeps {
  /** Where users find the service; null if they open the address that it listens on. */
  readonly baseUrl: string | null;
  readonly trustedProxies: readonly string[];
}

/** What the routes of a browser's session ask about a request. */
export interface OwnOrigin {
  /** Middleware: 403 for what another site has sent. Without either header no browser has. */
  readonly requireOwnOrigin: ReturnType<typeof createMiddleware<HttpEnv>>;
  /** Whether the client has come over TLS, as far as is known. */
  isSecure(c: HttpContext): boolean;
}

/** Throws if `baseUrl` is not a URL, or a trusted proxy neither an address nor a CIDR block. */
export function makeOwnOrigin({ baseUrl, trustedProxies }: OwnOriginDeps): OwnOrigin {
  const base = baseUrl === null ? null : new URL(baseUrl);
  const isTrusted = makeIsTrustedProxy(trustedProxies);
  const protocolOf = (c: HttpContext): string => {
    const peer = (c.env as typeof c.env | undefined)?.incoming?.socket.remoteAddress;
    const forwarded = c.req.raw.headers.get('x-forwarded-proto');
    if (forwarded === null || peer === undefined || !isTrusted(peer)) return new URL(c.req.url).protocol;
    // Of a chain of proxies, the first has seen the client.
    return `${forwarded.split(',')[0]?.trim().toLowerCase()}:`;
  };
  /** Null if the request does not say where it was sent to. */
  const requestOrigin = (c: HttpContext): string | null => {
    const host = c.req.raw.headers.get('host') ?? new URL(c.req.url).host;
    const url = URL.parse(`${protocolOf(c)}//${host}`);
    return url === null || url.origin === 'null' ? null : url.origin;
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
    isSecure: (c) => base?.protocol === 'https:' || protocolOf(c) === 'https:',
  };
}

const FOREIGN_ORIGIN = {
  code: 'forbidden',
  detail:
    "Origin is neither that of BASE_URL nor that of this request's own address; a browser's session is for the service's own pages. Other clients sign in with POST /auth/login.",
} as const;

const FOREIGN_SITE = {
  code: 'forbidden',
  detail:
    "Sec-Fetch-Site says that another site has sent this; a browser's session is for the service's own pages. Other clients sign in with POST /auth/login.",
} as const;
