/** The routes of account deletion, of both sides (Contract: §7). */
import * as v from 'valibot';
import { describeQuery, json, type Operation } from '#adapters/http/openapi/operation.ts';
import {
  COUNT,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { DELETION_LIST_QUERY, ORGANIZATION_QUERY } from '#adapters/http/schemas/queries.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { DELETION_STATUSES, MAX_DELETION_TEXT_LENGTH } from '#domain/deletion/deletion-request.ts';

const TEXT_LENGTH = `At most ${MAX_DELETION_TEXT_LENGTH} characters after trimming.`;

const MEMBERS = {
  id: ID,
  userId: v.nullable(ID),
  orgId: v.nullable(ID),
  reason: v.nullable(v.string()),
  status: v.picklist(DELETION_STATUSES),
  requestedAt: INSTANT,
  processBy: v.pipe(INSTANT, v.description('When an approved deletion is carried out.')),
  processedAt: v.nullable(INSTANT),
  processedBy: v.nullable(ID),
  adminNote: v.nullable(v.string()),
  createdAt: INSTANT,
  updatedAt: INSTANT,
};

export const DELETION_REQUEST = v.object(MEMBERS);

export const REVIEWED_REQUEST = v.object({
  ...MEMBERS,
  user: v.pipe(
    v.object({ id: ID, email: v.nullable(v.string()), name: v.nullable(v.string()) }),
    v.description('Email and name are null once the person is erased, or out of reach.'),
  ),
  overdue: v.boolean(),
});

const EXAMPLE = {
  id: EXAMPLE_ID.other,
  userId: EXAMPLE_ID.user,
  orgId: null,
  reason: 'I am moving on',
  status: 'pending',
  requestedAt: EXAMPLE_INSTANT,
  processBy: '2026-03-12T08:00:00.000Z',
  processedAt: null,
  processedBy: null,
  adminNote: null,
  createdAt: EXAMPLE_INSTANT,
  updatedAt: EXAMPLE_INSTANT,
};

const EXAMPLE_REVIEWED = {
  ...EXAMPLE,
  user: { id: EXAMPLE_ID.user, email: 'admin@kestrel-lane.example', name: 'Rosalind Moorcroft' },
  overdue: false,
};

const ORG_ID = { description: 'Only requests of this organization.' };

export const DELETION_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/auth/account-deletion-request': {
    id: 'readOwnDeletion',
    tag: 'account deletion',
    summary: "Read the caller's own request",
    asker: 'caller',
    answers: {
      200: json(
        'The pending request, and the latest whatever became of it.',
        v.object({ data: v.nullable(DELETION_REQUEST), latest: v.nullable(DELETION_REQUEST) }),
        { data: EXAMPLE, latest: EXAMPLE },
      ),
    },
  },
  'POST /api/v1/auth/account-deletion-request': {
    id: 'submitDeletion',
    tag: 'account deletion',
    summary: "Ask for the caller's account to be deleted",
    asker: 'caller',
    needsFreshMfa: true,
    body: {
      schema: v.object({
        password: v.string(),
        reason: v.pipe(v.nullish(v.string()), v.description(TEXT_LENGTH)),
      }),
      example: { password: 'correct horse battery', reason: 'I am moving on' },
    },
    answers: {
      200: json('The request that is pending already.', DELETION_REQUEST, EXAMPLE),
      201: json('The new request.', DELETION_REQUEST, EXAMPLE),
    },
    problems: ['deletion_already_approved', 'invalid_password'],
  },
  'PATCH /api/v1/auth/account-deletion-request/:id': {
    id: 'cancelDeletion',
    tag: 'account deletion',
    summary: "Cancel the caller's own request",
    asker: 'caller',
    body: { schema: v.object({ status: v.literal('cancelled') }), example: { status: 'cancelled' } },
    answers: {
      200: json('The request as it is now.', DELETION_REQUEST, { ...EXAMPLE, status: 'cancelled' }),
    },
    problems: ['conflict', 'deletion_already_approved'],
  },
  'GET /api/v1/admin/account-deletion-requests': {
    id: 'listDeletions',
    tag: 'account deletion',
    summary: 'List requests in reach, newest first',
    asker: 'caller',
    permission: USERS_WRITE,
    query: describeQuery(DELETION_LIST_QUERY, {
      status: { description: 'Only requests in this status.', example: 'pending' },
      orgId: ORG_ID,
      limit: { description: 'How many a page has.', example: 50 },
      offset: { description: 'How many are left out.', example: 0 },
    }),
    answers: {
      200: json(
        'A page of requests.',
        v.object({ data: v.array(REVIEWED_REQUEST), total: COUNT, limit: COUNT, offset: COUNT }),
        { data: [EXAMPLE_REVIEWED], total: 1, limit: 50, offset: 0 },
      ),
    },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/pending-count': {
    id: 'countPendingDeletions',
    tag: 'account deletion',
    summary: 'Count the pending requests in reach',
    asker: 'caller',
    permission: USERS_WRITE,
    query: describeQuery(ORGANIZATION_QUERY, { orgId: ORG_ID }),
    answers: { 200: json('Their number.', v.object({ count: COUNT }), { count: 1 }) },
    problems: ['not_found'],
  },
  'GET /api/v1/admin/account-deletion-requests/:id': {
    id: 'readDeletion',
    tag: 'account deletion',
    summary: 'Read a request',
    asker: 'caller',
    permission: USERS_WRITE,
    answers: { 200: json('The request.', REVIEWED_REQUEST, EXAMPLE_REVIEWED) },
  },
  'POST /api/v1/admin/account-deletion-requests/:id/process': {
    id: 'processDeletion',
    tag: 'account deletion',
    summary: 'Approve or reject a request',
    asker: 'caller',
    permission: USERS_WRITE,
    needsFreshMfa: true,
    body: {
      schema: v.object({
        action: v.picklist(['approve', 'reject']),
        adminNote: v.pipe(
          v.nullish(v.string()),
          v.description(`For the user; required to reject. ${TEXT_LENGTH}`),
        ),
      }),
      example: { action: 'approve' },
    },
    answers: {
      200: json('The request as it is now.', REVIEWED_REQUEST, {
        ...EXAMPLE_REVIEWED,
        status: 'processing',
        processedAt: EXAMPLE_INSTANT,
        processedBy: EXAMPLE_ID.user,
      }),
    },
    problems: ['admin_note_required', 'conflict'],
  },
};
