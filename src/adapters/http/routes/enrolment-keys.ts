/** The routes under `/api/v1/enrolment-keys` (Contract: §13). */
import { Hono } from 'hono';
import { respondDone, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentEnrolmentKey, presentEnrolmentKeys } from '#adapters/http/present/present-enrolment.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import { ENROLMENT_KEY_NOT_FOUND, type EnrolmentUseCases } from '#application/enrolment/enrolment-use-cases.ts';
import { parseId } from '#domain/ids.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface EnrolmentKeyRoutesDeps {
  readonly enrolment: EnrolmentUseCases;
  readonly authenticate: Authenticate;
}

/** The routes of enrolment keys, relative to `/api/v1/enrolment-keys`. */
export function enrolmentKeyRoutes({ enrolment, authenticate }: EnrolmentKeyRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) =>
    respondResult(c, await enrolment.listEnrolmentKeys(c.get('call')), presentEnrolmentKeys),
  );

  routes.post('/', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { orgId, siteId, name, expiresAt } = body.value;
    const input = { orgId, siteId, name, expiresAt };
    return respondResult(
      c,
      await enrolment.createEnrolmentKey(c.get('call'), input),
      presentEnrolmentKey,
      201,
    );
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = parseId<'enrolment-key'>(c.req.param('id'));
    if (id === null) return respondProblem(c, ENROLMENT_KEY_NOT_FOUND);
    return respondDone(c, await enrolment.revokeEnrolmentKey(c.get('call'), id));
  });

  return routes;
}
