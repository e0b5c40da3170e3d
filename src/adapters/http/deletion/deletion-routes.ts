/** Spec: Account deletion; Contract: §7. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { body, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { described, oneOf, optional, wholeNumber } from '#adapters/http/read/query-parameters.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import {
  FAR_BEYOND,
  organization,
  pageSize,
  querySchema,
  readQuery,
} from '#adapters/http/read/read-query.ts';
import { DELETION_REQUEST_NOT_FOUND } from '#application/application-error.ts';
import type { DeletionUseCases } from '#application/deletion/deletion-use-cases.ts';
import type { Clock } from '#application/ports/clock.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { DELETION_STATUSES } from '#domain/deletion/deletion-request.ts';
import {
  CANCELLATION,
  DECISION,
  DELETION_PAGE,
  DELETION_REQUEST,
  OWN_DELETION,
  PENDING_COUNT,
  type PendingCount,
  REVIEWED_REQUEST,
  SUBMISSION,
} from './deletion-shapes.ts';
import {
  presentDeletion,
  presentDeletionForReview,
  presentDeletionPage,
  presentOwnDeletion,
} from './present-deletion.ts';

const orgId = organization('Only requests of this organization.');

const PENDING_COUNT_QUERY = querySchema({ orgId });

const DELETION_LIST_QUERY = querySchema({
  status: described(optional(oneOf(DELETION_STATUSES), null), 'Only requests in this status.', 'pending'),
  orgId,
  limit: pageSize,
  offset: described(optional(wholeNumber(FAR_BEYOND), 0), 'The number of requests to skip.', 0),
});

export const DELETION_OPERATIONS: Operations = operations('account deletion', {
  'GET /api/v1/auth/account-deletion-request': {
    id: 'readOwnDeletion',
    summary: "Read the caller's own deletion request",
    answers: { 200: json('The pending request, and the latest in any status.', OWN_DELETION) },
  },
  'POST /api/v1/auth/account-deletion-request': {
    id: 'submitDeletion',
    summary: "Ask for the caller's account to be deleted",
    needsFreshMfa: true,
    body: body(SUBMISSION),
    answers: {
      200: json('The request that was already pending.', DELETION_REQUEST),
      201: json('The new request.', DELETION_REQUEST),
    },
    problems: ['deletion_already_approved', 'forbidden', 'invalid_password', 'recent_sign_in_required'],
  },
  'PATCH /api/v1/auth/account-deletion-request/:id': {
    id: 'cancelDeletion',
    summary: "Cancel the caller's own deletion request",
    body: body(CANCELLATION),
    answers: { 200: json('The changed request.', DELETION_REQUEST) },
    problems: ['conflict', 'deletion_already_approved', 'forbidden'],
  },
  'GET /api/v1/admin/account-deletion-requests': {
    id: 'listDeletions',
    summary: 'List the deletion requests in reach, newest first',
    permission: USERS_WRITE,
    query: DELETION_LIST_QUERY,
    answers: { 200: json('A page of requests.', DELETION_PAGE) },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/pending-count': {
    id: 'countPendingDeletions',
    summary: 'Count the pending deletion requests in reach',
    permission: USERS_WRITE,
    query: PENDING_COUNT_QUERY,
    answers: { 200: json('The number of pending requests.', PENDING_COUNT) },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/:id': {
    id: 'readDeletion',
    summary: 'Read a deletion request',
    permission: USERS_WRITE,
    answers: { 200: json('The request.', REVIEWED_REQUEST) },
  },
  'POST /api/v1/admin/account-deletion-requests/:id/process': {
    id: 'processDeletion',
    summary: 'Approve or reject a deletion request',
    permission: USERS_WRITE,
    needsFreshMfa: true,
    body: body(DECISION, { action: 'approve' }),
    answers: { 200: json('The changed request.', REVIEWED_REQUEST) },
    problems: ['admin_note_required', 'conflict', 'last_administrator'],
  },
});

export interface DeletionRoutesDeps {
  readonly deletions: DeletionUseCases;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
}

export function deletionRoutes({ deletions, authenticate, clock }: DeletionRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const own = '/auth/account-deletion-request';
  const all = '/admin/account-deletion-requests';

  routes.get(own, authenticate, async (c) =>
    respondJson(c, 200, presentOwnDeletion(await deletions.readOwnDeletion(c.get('call')))),
  );

  routes.post(own, authenticate, async (c) => {
    const { request, isNew } = orRefuse(
      await deletions.submitDeletion(c.get('call'), () => readBody(c, SUBMISSION)),
    );
    return respondJson(c, isNew ? 201 : 200, presentDeletion(request));
  });

  routes.patch(`${own}/:id`, authenticate, async (c) => {
    const id = pathId<'deletion-request'>(c, DELETION_REQUEST_NOT_FOUND);
    const body = orRefuse(await readBody(c, CANCELLATION));
    const cancelled = await deletions.cancelDeletion(c.get('call'), id, body.status);
    return respondResult(c, cancelled, presentDeletion);
  });

  routes.get(all, authenticate, async (c) => {
    const query = orRefuse(readQuery(c, DELETION_LIST_QUERY));
    const page = await deletions.listDeletions(c.get('call'), query);
    return respondResult(c, page, (found) => presentDeletionPage(found, query, clock()));
  });

  routes.get(`${all}/pending-count`, authenticate, async (c) => {
    const query = orRefuse(readQuery(c, PENDING_COUNT_QUERY));
    const counted = await deletions.countPendingDeletions(c.get('call'), query.orgId);
    return respondResult(c, counted, (count) => JSON.stringify({ count } satisfies PendingCount));
  });

  // Answers 405 to other methods. Otherwise `/:id` would take `pending-count` for an id.
  routes.all(`${all}/pending-count`, (c) => c.notFound());

  routes.get(`${all}/:id`, authenticate, async (c) => {
    const id = pathId<'deletion-request'>(c, DELETION_REQUEST_NOT_FOUND);
    const found = await deletions.readDeletion(c.get('call'), id);
    return respondResult(c, found, (request) => presentDeletionForReview(request, clock()));
  });

  routes.post(`${all}/:id/process`, authenticate, async (c) => {
    const id = pathId<'deletion-request'>(c, DELETION_REQUEST_NOT_FOUND);
    const processed = await deletions.processDeletion(c.get('call'), id, () => readBody(c, DECISION));
    return respondResult(c, processed, (request) => presentDeletionForReview(request, clock()));
  });

  return routes;
}
