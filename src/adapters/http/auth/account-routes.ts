/** The caller's own account, under `/api/v1/auth` (Contract: §2, §14). */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import type { OwnOrigin } from '#adapters/http/read/own-origin.ts';
import { readBody, readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { API_KEY_NOT_FOUND } from '#application/auth/api-keys.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import { PASSKEY_NOT_FOUND } from '#application/auth/passkeys/manage-passkeys.ts';
import { SESSION_NOT_FOUND } from '#application/auth/sessions/own-sessions.ts';
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
    const id = pathId<'session'>(c, SESSION_NOT_FOUND);
    return respondDone(c, await auth.endSession(c.get('call'), id));
  });

  routes.post('/password', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, PASSWORD_CHANGE));
    return respondDone(c, await auth.changePassword(c.get('call'), body));
  });

  routes.post('/mfa/enroll', authenticate, async (c) => {
    const offer = await auth.startEnrollment(c.get('call'), async () => {
      const body = await readBody(c, ENROLLMENT_BODY);
      return body.ok ? ok(body.value.password) : body;
    });
    return respondResult(c, offer, presentEnrollment);
  });

  routes.post('/mfa/enroll/confirm', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, CODE_BODY));
    const confirmed = await auth.confirmEnrollment(c.get('call'), body.code);
    return respondResult(c, confirmed, presentRecoveryCodes);
  });

  routes.post('/mfa/challenge', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, PROOF_BODY));
    const issued = await auth.challengeMfa(c.get('call'), withPasskey(c, body));
    return respondResult(c, issued, presentAccessToken);
  });

  routes.post('/mfa/recovery-codes', authenticate, async (c) =>
    respondResult(c, await auth.renewRecoveryCodes(c.get('call')), presentRecoveryCodes),
  );

  routes.get('/passkeys', authenticate, async (c) =>
    respondResult(c, await auth.listPasskeys(c.get('call')), presentPasskeys),
  );

  routes.post('/passkeys/options', authenticate, async (c) => {
    const body = orRefuse(await readOptionalJsonObject(c));
    const options = await auth.startPasskey(c.get('call'), relyingPartyOf(c), body['password']);
    return respondResult(c, options, JSON.stringify);
  });

  routes.post('/passkeys', authenticate, async (c) => {
    const { response, name } = orRefuse(await readBody(c, NEW_PASSKEY));
    const added = await auth.addPasskey(c.get('call'), { response, party: relyingPartyOf(c) }, name);
    return respondResult(c, added, presentAddedPasskey, 201);
  });

  routes.delete('/passkeys/:id', authenticate, async (c) => {
    const id = pathId<'passkey'>(c, PASSKEY_NOT_FOUND);
    return respondDone(c, await auth.removePasskey(c.get('call'), id));
  });

  routes.get('/api-keys', authenticate, async (c) =>
    respondResult(c, await auth.listApiKeys(c.get('call')), presentApiKeys),
  );

  routes.post('/api-keys', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, NEW_API_KEY));
    const created = await auth.createApiKey(c.get('call'), body);
    return respondResult(c, created, presentCreatedApiKey, 201);
  });

  routes.delete('/api-keys/:id', authenticate, async (c) => {
    const id = pathId<'api-key'>(c, API_KEY_NOT_FOUND);
    return respondDone(c, await auth.revokeApiKey(c.get('call'), id));
  });

  return routes;
}
