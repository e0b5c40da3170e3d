/** Sessions, second factors and API keys, under `/api/v1/auth` (Contract: §2). */
import { Hono } from 'hono';
import { respondDone, respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import {
  presentAccessToken,
  presentApiKeys,
  presentCreatedApiKey,
  presentEnrollment,
  presentProfile,
  presentRecoveryCodes,
  presentSignedIn,
} from '#adapters/http/present/present-auth.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { MAX_PUBLIC_BODY_BYTES, readJsonObject } from '#adapters/http/read/read-body.ts';
import type { Visitors } from '#adapters/http/read/visitors.ts';
import { ACCOUNT_GONE } from '#application/application-error.ts';
import { API_KEY_NOT_FOUND } from '#application/auth/api-keys/manage-api-keys.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import { parseId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';

/** The use cases behind the routes, and how they identify who is asking. */
export interface AuthRoutesDeps {
  readonly auth: AuthUseCases;
  readonly authenticate: Authenticate;
  readonly visitors: Visitors;
}

/** The routes of contract §2, relative to `/api/v1/auth`. */
export function authRoutes({
  auth,
  authenticate,
  visitors: { visitOf, admitVisitor },
}: AuthRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/login', admitVisitor, async (c) => {
    const body = await readJsonObject(c, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    const { email, password, code } = body.value;
    const signedIn = await auth.signIn(visitOf(c), { email, password, code }, 'client');
    return respondResult(c, signedIn, presentSignedIn);
  });

  routes.post('/refresh', admitVisitor, async (c) => {
    const body = await readJsonObject(c, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    const refreshed = await auth.refreshSession(visitOf(c), body.value.refreshToken, 'client');
    return respondResult(c, refreshed, presentSignedIn);
  });

  routes.post('/logout', admitVisitor, async (c) => {
    const body = await readJsonObject(c, MAX_PUBLIC_BODY_BYTES);
    if (!body.ok) return respondProblem(c, body.error);
    return respondDone(c, await auth.signOut(body.value.refreshToken, 'client'));
  });

  routes.get('/me', authenticate, async (c) => {
    const profile = await auth.readProfile(c.get('call'));
    return profile === null ? respondProblem(c, ACCOUNT_GONE) : respondJson(c, 200, presentProfile(profile));
  });

  routes.post('/mfa/enroll', authenticate, async (c) => {
    const offer = await auth.startEnrollment(c.get('call'), async () => {
      const body = await readJsonObject(c);
      return body.ok ? ok(body.value.password) : body;
    });
    return respondResult(c, offer, presentEnrollment);
  });

  routes.post('/mfa/enroll/confirm', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const confirmed = await auth.confirmEnrollment(c.get('call'), body.value.code);
    return respondResult(c, confirmed, presentRecoveryCodes);
  });

  routes.post('/mfa/challenge', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const issued = await auth.challengeMfa(c.get('call'), body.value.code);
    return respondResult(c, issued, presentAccessToken);
  });

  routes.get('/api-keys', authenticate, async (c) =>
    respondJson(c, 200, presentApiKeys(await auth.listApiKeys(c.get('call')))),
  );

  routes.post('/api-keys', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { name, permissions, expiresAt } = body.value;
    const created = await auth.createApiKey(c.get('call'), { name, permissions, expiresAt });
    return respondResult(c, created, presentCreatedApiKey, 201);
  });

  routes.delete('/api-keys/:id', authenticate, async (c) => {
    const id = parseId<'api-key'>(c.req.param('id'));
    if (id === null) return respondProblem(c, API_KEY_NOT_FOUND);
    return respondDone(c, await auth.revokeApiKey(c.get('call'), id));
  });

  return routes;
}
