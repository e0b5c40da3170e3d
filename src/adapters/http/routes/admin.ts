/** The routes under `/api/v1/admin` (Spec: Account deletion, administrator side; Contract: §7, §8). */
import { Hono } from 'hono';
import { respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentAuditPage } from '#adapters/http/present/present-audit.ts';
import {
  presentCount,
  presentDeletionForReview,
  presentDeletionPage,
} from '#adapters/http/present/present-deletion.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import { AUDIT_QUERY, DELETION_LIST_QUERY, ORGANIZATION_QUERY } from '#adapters/http/schemas/queries.ts';
import { DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { ReadAuditLog } from '#application/audit/read-audit-log.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import type { Clock } from '#application/ports/clock.ts';
import { parseId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface AdminRoutesDeps {
  readonly deletions: Pick<
    DeletionUseCases,
    'listDeletions' | 'countPendingDeletions' | 'readDeletion' | 'processDeletion'
  >;
  readonly readAuditLog: ReadAuditLog;
  readonly authenticate: Authenticate;
  /** Decides what is overdue. */
  readonly clock: Clock;
}

/** The five routes of the administrator's side, relative to `/api/v1/admin`. */
export function adminRoutes({
  deletions,
  readAuditLog,
  authenticate,
  clock,
}: AdminRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/account-deletion-requests', authenticate, async (c) => {
    const query = readQuery(c, DELETION_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const page = await deletions.listDeletions(c.get('call'), query.value);
    return respondResult(c, page, (found) => presentDeletionPage(found, query.value, clock()));
  });

  routes.get('/account-deletion-requests/pending-count', authenticate, async (c) => {
    const query = readQuery(c, ORGANIZATION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const count = await deletions.countPendingDeletions(c.get('call'), query.value.orgId);
    return respondResult(c, count, presentCount);
  });

  // Other methods are 405; without this it would be taken for the id of a request.
  routes.all('/account-deletion-requests/pending-count', (c) => c.notFound());

  routes.get('/account-deletion-requests/:id', authenticate, async (c) => {
    const id = parseId<'deletion-request'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DELETION_REQUEST_NOT_FOUND);
    const found = await deletions.readDeletion(c.get('call'), id);
    return respondResult(c, found, (request) => presentDeletionForReview(request, clock()));
  });

  routes.post('/account-deletion-requests/:id/process', authenticate, async (c) => {
    const id = parseId<'deletion-request'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DELETION_REQUEST_NOT_FOUND);
    const processed = await deletions.processDeletion(c.get('call'), id, async () => {
      const body = await readJsonObject(c);
      if (!body.ok) return body;
      const { action, adminNote } = body.value;
      return ok({ action, adminNote });
    });
    return respondResult(c, processed, (request) => presentDeletionForReview(request, clock()));
  });

  routes.get('/audit-log', authenticate, async (c) => {
    const query = readQuery(c, AUDIT_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await readAuditLog(c.get('call'), query.value), presentAuditPage);
  });

  return routes;
}
