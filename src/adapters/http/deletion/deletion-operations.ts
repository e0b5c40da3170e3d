/** The operations of account deletion in the OpenAPI document (Contract: §7). */
import { body, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { DELETION_LIST_QUERY, PENDING_COUNT_QUERY } from './deletion-routes.ts';
import {
  CANCELLATION,
  DECISION,
  DELETION_PAGE,
  DELETION_REQUEST,
  OWN_DELETION,
  PENDING_COUNT,
  REVIEWED_REQUEST,
  SUBMISSION,
} from './deletion-shapes.ts';

export const DELETION_OPERATIONS: Operations = operations('account deletion', {
  'GET /api/v1/auth/account-deletion-request': {
    id: 'readOwnDeletion',
    summary: "Read the caller's own request",
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
    problems: ['deletion_already_approved', 'invalid_password'],
  },
  'PATCH /api/v1/auth/account-deletion-request/:id': {
    id: 'cancelDeletion',
    summary: "Cancel the caller's own request",
    body: body(CANCELLATION),
    answers: { 200: json('The changed request.', DELETION_REQUEST) },
    problems: ['conflict', 'deletion_already_approved'],
  },
  'GET /api/v1/admin/account-deletion-requests': {
    id: 'listDeletions',
    summary: 'List requests in reach, newest first',
    permission: USERS_WRITE,
    query: DELETION_LIST_QUERY,
    answers: { 200: json('A page of requests.', DELETION_PAGE) },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/pending-count': {
    id: 'countPendingDeletions',
    summary: 'Count the pending requests in reach',
    permission: USERS_WRITE,
    query: PENDING_COUNT_QUERY,
    answers: { 200: json('The number of pending requests.', PENDING_COUNT) },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/:id': {
    id: 'readDeletion',
    summary: 'Read a request',
    permission: USERS_WRITE,
    answers: { 200: json('The request.', REVIEWED_REQUEST) },
  },
  'POST /api/v1/admin/account-deletion-requests/:id/process': {
    id: 'processDeletion',
    summary: 'Approve or reject a request',
    permission: USERS_WRITE,
    needsFreshMfa: true,
    body: body(DECISION, { action: 'approve' }),
    answers: { 200: json('The changed request.', REVIEWED_REQUEST) },
    problems: ['admin_note_required', 'conflict'],
  },
});
