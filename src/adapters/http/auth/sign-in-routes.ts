/** Signing in and out, under `/api/v1/auth`: for programs with tokens in bodies, for browsers with a cookie (Contract: §2, §14). */
import { Hono } from 'hono';
import {
  respondDone,
  respondEmpty,
  respondJson,
  respondProblem,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { MAX_PUBLIC_BODY_BYTES, readBody } from '#adapters/http/read/read-body.ts';
import { noSessionCookie, readSessionCookies, sessionCookie } from '#adapters/http/read/session-cookie.ts';
import type { Visitors } from '#adapters/http/read/visitors.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { Result } from '#domain/result.ts';
import { CREDENTIALS, REFRESH_BODY } from './auth-shapes.ts';
import { presentBrowserSession, presentSignedIn } from './present-auth.ts';

export interface SignInRoutesDeps {
  readonly auth: AuthUseCases;
  readonly visitors: Visitors;
}

export function signInRoutes({ auth, visitors: { visitOf, admitVisitor } }: SignInRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/login', admitVisitor, async (c) => {
    const body = await readBody(c, CREDENTIALS, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await auth.signIn(visitOf(c), body.value, 'client'), presentSignedIn);
  });

  routes.post('/refresh', admitVisitor, async (c) => {
    const body = await readBody(c, REFRESH_BODY, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    const refreshed = await auth.refreshSession(visitOf(c), body.value.refreshToken, 'client');
    return respondResult(c, refreshed, presentSignedIn);
  });

  routes.post('/logout', admitVisitor, async (c) => {
    const body = await readBody(c, REFRESH_BODY, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    return respondDone(c, await auth.signOut(body.value.refreshToken, 'client'));
  });

  return routes;
}

export interface BrowserSessionRoutesDeps extends SignInRoutesDeps {
  readonly ownOrigin: OwnOrigin;
}

/** Relative to `SESSION_PATH`. No script can read the cookie, which holds the refresh token. */
export function browserSessionRoutes({
  auth,
  visitors: { visitOf, admitVisitor },
  ownOrigin: { requireOwnOrigin, isSecure },
}: BrowserSessionRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  /** A refusal leaves the cookie alone: another tab may have got a better one meanwhile. */
  const respondSignedIn = (c: HttpContext, signedIn: Result<SignedIn, ApplicationError>): Response => {
    if (!signedIn.ok) return respondProblem(c, signedIn.error);
    const { refreshToken, refreshExpiresIn } = signedIn.value;
    const cookie = sessionCookie(refreshToken, refreshExpiresIn, isSecure(c));
    return respondJson(c, 200, presentBrowserSession(signedIn.value), { 'Set-Cookie': cookie });
  };

  routes.post('/', requireOwnOrigin, admitVisitor, async (c) => {
    const body = await readBody(c, CREDENTIALS, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    return respondSignedIn(c, await auth.signIn(visitOf(c), body.value, 'cookie'));
  });

  routes.post('/refresh', requireOwnOrigin, admitVisitor, async (c) => {
    const [token, ...others] = readSessionCookies(c);
    if (token === undefined) return respondProblem(c, NO_COOKIE);
    if (others.length > 0) return respondProblem(c, SEVERAL_COOKIES);
    return respondSignedIn(c, await auth.refreshSession(visitOf(c), token, 'cookie'));
  });

  routes.delete('/', requireOwnOrigin, admitVisitor, async (c) => {
    for (const token of readSessionCookies(c)) {
      const ended = await auth.signOut(token, 'cookie');
      if (!ended.ok) return respondProblem(c, ended.error);
    }
    return respondEmpty(c, 204, { 'Set-Cookie': noSessionCookie(isSecure(c)) });
  });

  return routes;
}

/** One of them may be another person's: everything from then on would happen in that account. */
const SEVERAL_COOKIES: ApplicationError = {
  code: 'unauthenticated',
  detail:
    'There are several session cookies, of which a neighbouring host has set one; remove those of this site, and sign in.',
};

const NO_COOKIE: ApplicationError = {
  code: 'unauthenticated',
  detail: 'There is no session cookie; sign in with POST /auth/session.',
};
