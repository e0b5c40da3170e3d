/** What people do about their own account: sessions, password and recovery codes (Contract: §14). */
import { Hono } from 'hono';
import { respondDone, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentRecoveryCodes, presentSessions } from '#adapters/http/present/present-auth.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import type { AuthUseCases } from '#application/auth/auth-use-cases.ts';
import { SESSION_NOT_FOUND } from '#application/auth/sessions/own-sessions.ts';
import { parseId } from '#domain/ids.ts';

export interface AccountRoutesDeps {
  readonly auth: AuthUseCases;
  readonly authenticate: Authenticate;
}

/** Relative to `/api/v1/auth`. */
export function accountRoutes({ auth, authenticate }: AccountRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

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
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { currentPassword, newPassword } = body.value;
    return respondDone(c, await auth.changePassword(c.get('call'), { currentPassword, newPassword }));
  });

  routes.post('/mfa/recovery-codes', authenticate, async (c) =>
    respondResult(c, await auth.renewRecoveryCodes(c.get('call')), presentRecoveryCodes),
  );

  return routes;
}
