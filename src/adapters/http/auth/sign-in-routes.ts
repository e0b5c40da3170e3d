/** Programs get tokens in bodies, browsers a cookie that scripts cannot read (Contract: §2, §14). */
import { Hono, type MiddlewareHandler } from 'hono';
import type { Admission } from '#adapters/http/admission/admit-requests.ts';
import { orRefuse } from '#adapters/http/answer/refusal.ts';
import {
  respondDone,
  respondEmpty,
  respondJson,
  respondProblem,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { FindClientAddress } from '#adapters/http/read/client-address.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { MAX_PUBLIC_BODY_BYTES, readBody } from '#adapters/http/read/read-body.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { Visit } from '#application/call.ts';
import type { Result } from '#domain/result.ts';
import { CREDENTIALS, REFRESH_BODY } from './auth-shapes.ts';
import { presentBrowserSession, presentSignedIn } from './present-auth.ts';

export interface SignInRoutesDeps {
  readonly auth: AuthUseCases;
  readonly findClientAddress: FindClientAddress;
  readonly admission: Admission;
  readonly ownOrigin: OwnOrigin;
}

export function signInRoutes(deps: SignInRoutesDeps): Hono<HttpEnv> {
  const { auth, ownOrigin } = deps;
  const { relyingPartyOf, withPasskey } = ownOrigin;
  const { visitOf, admitVisitor } = visitors(deps);
  const routes = new Hono<HttpEnv>();

  routes.post('/login', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, CREDENTIALS, MAX_PUBLIC_BODY_BYTES));
    return respondResult(c, await auth.signIn(visitOf(c), withPasskey(c, body), 'client'), presentSignedIn);
  });

  routes.post('/passkey/options', admitVisitor, async (c) =>
    respondJson(c, 200, JSON.stringify(await auth.offerPasskeys(relyingPartyOf(c)))),
  );

  routes.post('/refresh', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, REFRESH_BODY, MAX_PUBLIC_BODY_BYTES));
    const refreshed = await auth.refreshSession(visitOf(c), body.refreshToken, 'client');
    return respondResult(c, refreshed, presentSignedIn);
  });

  routes.post('/logout', admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, REFRESH_BODY, MAX_PUBLIC_BODY_BYTES));
    return respondDone(c, await auth.signOut(body.refreshToken, 'client'));
  });

  return routes;
}

export interface BrowserSessionRoutesDeps extends SignInRoutesDeps {
  /** Limits the cookie's path. */
  readonly basePath: string;
}

export const SESSION_PATH = '/api/v1/auth/session';

/** Paths are relative to `SESSION_PATH`. */
export function browserSessionRoutes(deps: BrowserSessionRoutesDeps): Hono<HttpEnv> {
  const { auth, ownOrigin, basePath } = deps;
  const { requireOwnOrigin, isSecure, withPasskey } = ownOrigin;
  const { visitOf, admitVisitor } = visitors(deps);
  const routes = new Hono<HttpEnv>();
  const sessionCookie = (c: HttpContext, token: string, maxAgeSeconds: number) =>
    printSessionCookie(basePath, isSecure(c), token, maxAgeSeconds);
  /** A refusal does not clear the cookie, because another tab may have set a newer one. */
  const respondSignedIn = (c: HttpContext, signedIn: Result<SignedIn, ApplicationError>): Response => {
    const session = orRefuse(signedIn);
    const cookie = sessionCookie(c, session.refreshToken, session.refreshExpiresIn);
    return respondJson(c, 200, presentBrowserSession(session), { 'Set-Cookie': cookie });
  };

  routes.post('/', requireOwnOrigin, admitVisitor, async (c) => {
    const body = orRefuse(await readBody(c, CREDENTIALS, MAX_PUBLIC_BODY_BYTES));
    return respondSignedIn(c, await auth.signIn(visitOf(c), withPasskey(c, body), 'cookie'));
  });

  routes.post('/refresh', requireOwnOrigin, admitVisitor, async (c) => {
    const [token, ...others] = readCookies(c, SESSION_COOKIE);
    if (token === undefined) return respondProblem(c, NO_COOKIE);
    if (others.length > 0) return respondProblem(c, SEVERAL_COOKIES);
    return respondSignedIn(c, await auth.refreshSession(visitOf(c), token, 'cookie'));
  });

  routes.delete('/', requireOwnOrigin, admitVisitor, async (c) => {
    for (const token of readCookies(c, SESSION_COOKIE)) {
      orRefuse(await auth.signOut(token, 'cookie'));
    }
    return respondEmpty(c, 204, { 'Set-Cookie': sessionCookie(c, '', 0) });
  });

  return routes;
}

export function visitors({
  findClientAddress,
  admission,
}: Pick<SignInRoutesDeps, 'findClientAddress' | 'admission'>) {
  const visitOf = (c: HttpContext): Visit => {
    const endTurn = c.get('endTurn');
    return {
      requestId: c.get('requestId'),
      ip: findClientAddress(c),
      userAgent: c.req.raw.headers.get('user-agent'),
      ...(endTurn !== undefined && { endTurn }),
    };
  };
  const admitVisitor: MiddlewareHandler<HttpEnv> = (c, next) =>
    admission.admitVisitor(c, findClientAddress(c), next);
  return { visitOf, admitVisitor };
}

const SESSION_COOKIE = 'fleetsift_session';

/** An empty token with `maxAgeSeconds` 0 removes the cookie. */
export function printSessionCookie(
  basePath: string,
  isSecure: boolean,
  token: string,
  maxAgeSeconds: number,
): string {
  const attributes = `Path=${basePath}${SESSION_PATH}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
  return `${SESSION_COOKIE}=${token}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

/** A browser normally sends one cookie of each name; more than a few mean an attack. */
const MOST_COOKIES = 4;

/** Returns several values if a neighboring host has set a cookie for both hosts. Nothing tells which value is ours. */
export function readCookies(c: HttpContext, name: string): readonly string[] {
  const pairs = c.req.raw.headers.get('cookie')?.split(';') ?? [];
  const found = pairs.map((pair) => pair.trim()).filter((pair) => pair.startsWith(`${name}=`));
  const values = new Set(found.map((pair) => pair.slice(name.length + 1)));
  values.delete('');
  return [...values].slice(0, MOST_COOKIES);
}

/** One cookie may belong to another person; using it would sign the browser in to that account. */
const SEVERAL_COOKIES: ApplicationError = {
  code: 'unauthenticated',
  detail:
    'There are several session cookies, and a neighbouring host has set one of them; clear the cookies of this site, then sign in.',
};

const NO_COOKIE: ApplicationError = {
  code: 'unauthenticated',
  detail: 'There is no session cookie; sign in with POST /auth/session.',
};
