/** The caller's own account, under `/api/v1/auth`: sessions, password, MFA, API keys (Contract: §2, §14). */
import { Hono } from 'hono';
import { respondDone, respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { readBody, readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { API_KEY_NOT_FOUND } from '#application/auth/api-keys.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import { PASSKEY_NOT_FOUND } from '#application/auth/passkeys/manage-passkeys.ts';
import { SESSION_NOT_FOUND } from '#application/auth/sessions/own-sessions.ts';
import { parseId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import {
  CODE_BODY,
  ENROLLMENT_BODY,
  NEW_API_KEY,
  NEW_PASSKEY,
  PASSWORD_CHANGE,
  PROOF_BODY,
} from './auth-shapes.ts';
import {
  presentAccessToken,
  presentAddedPasskey,
  presentApiKeys,
  presentCreatedApiKey,
  presentEnrollment,
  presentPasskeys,
  presentProfile,
  presentRecoveryCodes,
  presentSessions,
} from './present-auth.ts';

export interface AccountRoutesDeps {
  readonly auth: AuthUseCases;
  readonly authenticate: Authenticate;
  readonly ownOrigin: OwnOrigin;
}

export function accountRoutes({ auth, authenticate, ownOrigin }: AccountRoutesDeps): Hono<HttpEnv> {
  const { relyingPartyOf, withPasskey } = ownOrigin;
  const routes = new Hono<HttpEnv>();

  routes.get('/me', authenticate, async (c) =>
    respondJson(c, 200, presentProfile(await auth.readProfile(c.get('call')))),
  );

  routes.get('/sessions', authenticate, async (c) =>
    respondResult(c, await auth.listSessions(c.get('call')), presentSessions),
  );

  routes.delete('/sessions', authenticate, async (c) =>
    respondDone(c, await auth.endOtherSessions(c.get('call'))),
  );

  routes.delete('/sessions/:id', authenticate, async (c) => {
    const id = parseId<'session'>(c.req.param('id'));
    if (id === null) return respondProblem(c, SESSION_NOT_FOUND);
    return respondDone(c, await auth.endSession(c.get('call'), id));
  });

  routes.post('/password', authenticate, async (c) => {
    const body = await readBody(c, PASSWORD_CHANGE);
    if (!body.ok) return respondProblem(c, body.error);
    return respondDone(c, await auth.changePassword(c.get('call'), body.value));
  });

  routes.post('/mfa/enroll', authenticate, async (c) => {
    const offer = await auth.startEnrollment(c.get('call'), async () => {
      const body = await readBody(c, ENROLLMENT_BODY);
      return body.ok ? ok(body.value.password) : body;
    });
    return respondResult(c, offer, presentEnrollment);
  });

  routes.post('/mfa/enroll/confirm', authenticate, async (c) => {
    const body = await readBody(c, CODE_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    const confirmed = await auth.confirmEnrollment(c.get('call'), body.value.code);
    return respondResult(c, confirmed, presentRecoveryCodes);
  });

  routes.post('/mfa/challenge', authenticate, async (c) => {
    const body = await readBody(c, PROOF_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    const issued = await auth.challengeMfa(c.get('call'), withPasskey(c, body.value));
    return respondResult(c, issued, presentAccessToken);
  });

  routes.post('/mfa/recovery-codes', authenticate, async (c) =>
    respondResult(c, await auth.renewRecoveryCodes(c.get('call')), presentRecoveryCodes),
  );

  routes.get('/passkeys', authenticate, async (c) =>
    respondResult(c, await auth.listPasskeys(c.get('call')), presentPasskeys),
  );

  routes.post('/passkeys/options', authenticate, async (c) => {
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const options = await auth.startPasskey(c.get('call'), relyingPartyOf(c), body.value['password']);
    return respondResult(c, options, JSON.stringify);
  });

  routes.post('/passkeys', authenticate, async (c) => {
    const body = await readBody(c, NEW_PASSKEY);
    if (!body.ok) return respondProblem(c, body.error);
    const { response, name } = body.value;
    const added = await auth.addPasskey(c.get('call'), { response, party: relyingPartyOf(c) }, name);
    return respondResult(c, added, presentAddedPasskey, 201);
  });

  routes.delete('/passkeys/:id', authenticate, async (c) => {
    const id = parseId<'passkey'>(c.req.param('id'));
    if (id === null) return respondProblem(c, PASSKEY_NOT_FOUND);
    return respondDone(c, await auth.removePasskey(c.get('call'), id));
  });

  routes.get('/api-keys', authenticate, async (c) =>
    respondResult(c, await auth.listApiKeys(c.get('call')), presentApiKeys),
  );

  routes.post('/api-keys', authenticate, async (c) => {
    const body = await readBody(c, NEW_API_KEY);
    if (!body.ok) return respondProblem(c, body.error);
    const created = await auth.createApiKey(c.get('call'), body.value);
    return respondResult(c, created, presentCreatedApiKey, 201);
  });

  routes.delete('/api-keys/:id', authenticate, async (c) => {
    const id = parseId<'api-key'>(c.req.param('id'));
    if (id === null) return respondProblem(c, API_KEY_NOT_FOUND);
    return respondDone(c, await auth.revokeApiKey(c.get('call'), id));
  });

  return routes;
}
