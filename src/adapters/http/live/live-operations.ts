import { EXAMPLE_ID, exampleOf } from '#adapters/http/common-shapes.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { CHANGES_QUERY, HISTORY_QUERY, SUBSCRIPTION_LIST_QUERY } from './live-routes.ts';
import {
  CHANGE,
  CHANGES,
  CREATED_SUBSCRIPTION,
  DELIVERIES,
  DELIVERY,
  HISTORY,
  MEMBERS_HEAD,
  NEW_SUBSCRIPTION,
  RENEWED_SECRET,
  RESUMPTION,
  SUBSCRIPTION,
  SUBSCRIPTION_CHANGE,
  SUBSCRIPTIONS,
} from './live-shapes.ts';

const MEMBER_LINES = [exampleOf(MEMBERS_HEAD), { id: EXAMPLE_ID.device }, { end: true }];

export const LIVE_OPERATIONS: Operations = operations('live', {
  'GET /api/v1/subscriptions': {
    id: 'listSubscriptions',
    summary: 'List the subscriptions in reach, newest first',
    query: SUBSCRIPTION_LIST_QUERY,
    answers: { 200: json('All subscriptions in reach.', SUBSCRIPTIONS) },
  },
  'POST /api/v1/subscriptions': {
    id: 'createSubscription',
    summary: 'Subscribe to a saved filter',
    description: 'The members of the filter are kept from now on, so its members and changes can be read.',
    permission: DEVICES_WRITE,
    body: body(NEW_SUBSCRIPTION),
    answers: { 201: json('The subscription.', CREATED_SUBSCRIPTION, ['Location']) },
    problems: ['quota_exceeded'],
  },
  'GET /api/v1/subscriptions/:id': {
    id: 'readSubscription',
    summary: 'Read a subscription',
    answers: { 200: json('The subscription.', SUBSCRIPTION) },
  },
  'PATCH /api/v1/subscriptions/:id': {
    id: 'updateSubscription',
    summary: 'Rename, pause or resume a subscription',
    description: 'Other members may be sent if they stay the same.',
    permission: DEVICES_WRITE,
    body: body(SUBSCRIPTION_CHANGE, { state: 'paused' }),
    answers: { 200: json('The changed subscription.', SUBSCRIPTION) },
    problems: ['conflict'],
  },
  'DELETE /api/v1/subscriptions/:id': {
    id: 'deleteSubscription',
    summary: 'Delete a subscription',
    permission: DEVICES_WRITE,
    answers: { 204: empty('It is deleted.') },
  },
  'POST /api/v1/subscriptions/:id/resume': {
    id: 'resumeSubscription',
    summary: 'Resume a webhook or mail subscription where it stopped, or from a cursor',
    permission: DEVICES_WRITE,
    body: { ...body(RESUMPTION), isOptional: true },
    answers: { 200: json('The subscription, active.', SUBSCRIPTION) },
    problems: ['conflict', 'cursor_expired', 'invalid_cursor'],
  },
  'POST /api/v1/subscriptions/:id/secret': {
    id: 'renewSecret',
    summary: 'Renew the secret of a webhook',
    description: 'For 24 hours, deliveries are also signed with the earlier secret.',
    permission: DEVICES_WRITE,
    answers: { 200: json('The new secret.', RENEWED_SECRET) },
    problems: ['conflict'],
  },
  'POST /api/v1/subscriptions/:id/test': {
    id: 'testWebhook',
    summary: 'Send a test to the receiver of a webhook',
    permission: DEVICES_WRITE,
    answers: { 202: json('The delivery, which is sent next.', DELIVERY) },
    problems: ['conflict'],
  },
  'GET /api/v1/subscriptions/:id/deliveries': {
    id: 'listDeliveries',
    summary: 'List the last 100 deliveries of a webhook, newest first',
    answers: { 200: json('The deliveries.', DELIVERIES) },
    problems: ['forbidden'],
  },
  'POST /api/v1/subscriptions/:id/deliveries/:deliveryId/redeliver': {
    id: 'redeliver',
    summary: 'Send a delivery again, with the same id and body',
    permission: DEVICES_WRITE,
    answers: { 202: json('The delivery, which is sent next.', DELIVERY) },
    problems: ['conflict'],
  },
  'GET /api/v1/subscriptions/:id/members': {
    id: 'readMembers',
    summary: 'Read the members of the filter, with a cursor for reading later changes',
    answers: {
      200: {
        description: 'A line for the whole, a line for each member, and a last line.',
        content: {
          'application/x-ndjson': {
            example: MEMBER_LINES.map((line) => `${JSON.stringify(line)}\n`).join(''),
          },
        },
      },
    },
    problems: ['conflict', 'forbidden'],
  },
  'GET /api/v1/subscriptions/:id/changes': {
    id: 'readChanges',
    summary: 'Read which devices entered or left the filter after a cursor, or wait for changes',
    description:
      'With `Accept: text/event-stream`, server-sent events: each is a change, and its id is the cursor after it. `Last-Event-ID` counts before `cursor`.',
    query: CHANGES_QUERY,
    answers: {
      200: {
        description: 'The changes in order.',
        content: {
          'application/json': { schema: CHANGES, example: exampleOf(CHANGES) },
          'text/event-stream': {
            example: `id: 9rTgS3bq0aYpGdJq4mOZtTEy\ndata: ${JSON.stringify(exampleOf(CHANGE))}\n\n`,
          },
        },
      },
    },
    problems: ['conflict', 'cursor_expired', 'forbidden', 'invalid_cursor'],
  },
  'GET /api/v1/filters/:id/history': {
    id: 'readFilterHistory',
    summary: 'Read how many members a filter had over time',
    query: HISTORY_QUERY,
    answers: { 200: json('At most 200 counts, oldest first; empty without a subscription.', HISTORY) },
  },
});
