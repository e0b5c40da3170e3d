/**
 * The session of a browser, under `/api/v1/auth/session`: its refresh token is in a cookie that no script reads
 * (Contract: §14).
 */
import { Hono } from 'hono';
import { respondEmpty, respondJson, respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { presentBrowserSession } from '#adapters/http/present/present-auth.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { MAX_PUBLIC_BODY_BYTES, readJsonObject } from '#adapters/http/read/read-body.ts';
import { noSessionCookie, readSessionCookies, sessionCookie } from '#adapters/http/read/session-cookie.ts';
import type { Visitors } from '#adapters/http/read/visitors.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import type { SignedIn } from '#application/auth/sessions/signed-in.ts';
import type { Result } from '#domain/result.ts';

export interface BrowserSessionRoutesDeps {
  readonly auth: AuthUseCases;
  readonly visitors: Visitors;
  readonly ownOrigin: OwnOrigin;
}

/** Relative to `SESSION_PATH`. */
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
    const body = await readJsonObject(c, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    const { email, password, code } = body.value;
    return respondSignedIn(c, await auth.signIn(visitOf(c), { email, password, code }, 'cookie'));
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

/** One of them may be somebody else's, in whose account everything would be done from then on. */
const SEVERAL_COOKIES: ApplicationError = {
  code: 'unauthenticated',
  detail:
    'There are several session cookies, of which a neighbouring host has set one; remove those of this site, and sign in.',
};

const NO_COOKIE: ApplicationError = {
  code: 'unauthenticated',
  detail: 'There is no session cookie; sign in with POST /auth/session.',
};
