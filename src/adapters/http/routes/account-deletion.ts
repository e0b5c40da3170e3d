/** The routes under `/api/v1/auth/account-deletion-request` (Spec: Account deletion, user side; Contract: §7). */
import { Hono } from 'hono';
import { respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentDeletion, presentOwnDeletion } from '#adapters/http/present/present-deletion.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import { DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import { parseId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface AccountDeletionRoutesDeps {
  readonly deletions: Pick<DeletionUseCases, 'readOwnDeletion' | 'submitDeletion' | 'cancelDeletion'>;
  readonly authenticate: Authenticate;
}

/** The three routes of the user's side, relative to `/api/v1/auth/account-deletion-request`. */
export function accountDeletionRoutes({ deletions, authenticate }: AccountDeletionRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) =>
    respondJson(c, 200, presentOwnDeletion(await deletions.readOwnDeletion(c.get('call')))),
  );

  routes.post('/', authenticate, async (c) => {
    const submitted = await deletions.submitDeletion(c.get('call'), async () => {
      const body = await readJsonObject(c);
      if (!body.ok) return body;
      const { password, reason } = body.value;
      return ok({ password, reason });
    });
    if (!submitted.ok) return respondProblem(c, submitted.error);
    const { request, isNew } = submitted.value;
    return respondJson(c, isNew ? 201 : 200, presentDeletion(request));
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = parseId<'deletion-request'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DELETION_REQUEST_NOT_FOUND);
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const cancelled = await deletions.cancelDeletion(c.get('call'), id, body.value.status);
    return respondResult(c, cancelled, presentDeletion);
  });

  return routes;
}
