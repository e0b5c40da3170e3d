/** The routes of the audit log and of the service itself (Contract: §8, §9, §15). */
import * as v from 'valibot';
import { describeQuery, json, type Operation } from '#adapters/http/openapi/operation.ts';
import {
  CURSOR,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { AUDIT_QUERY } from '#adapters/http/schemas/queries.ts';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { type AuditAction, RESOURCE_TYPES } from '#domain/audit/audit-entry.ts';

const AUDIT_ENTRY = v.object({
  id: ID,
  at: INSTANT,
  actor: v.object({ type: v.picklist(['user', 'api_key', 'system']), id: v.nullable(ID) }),
  orgId: v.nullable(ID),
  action: v.picklist(Object.keys(RESOURCE_TYPES) as AuditAction[]),
  result: v.picklist(['success', 'denied']),
  resourceType: v.picklist([...new Set(Object.values(RESOURCE_TYPES))]),
  resourceId: v.nullable(v.string()),
  details: v.record(
    v.string(),
    v.nullable(v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])),
  ),
  requestId: v.string(),
  ip: v.nullable(v.string()),
});

const READINESS = v.object({
  status: v.picklist(['ready', 'unready']),
  checks: v.record(v.string(), v.boolean()),
});

export const SERVICE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/admin/audit-log': {
    id: 'readAuditLog',
    tag: 'audit',
    summary: 'Who did what, newest first',
    asker: 'caller',
    permission: USERS_WRITE,
    query: describeQuery(AUDIT_QUERY, {
      action: { description: 'Only entries of this action.', example: 'filter.create' },
      actorId: { description: 'Only what this user or API key did.' },
      resourceId: { description: 'Only what was done to this.' },
      orgId: { description: 'Only what concerns this organization.' },
      from: { description: 'The first instant, or a whole day.', example: '2026-02-01' },
      to: { description: 'The last instant, or a whole day.', example: '2026-02-28' },
      cursor: { description: 'The `nextCursor` of the page before.' },
      limit: { description: 'How many a page has.', example: 50 },
    }),
    answers: {
      200: json('A page of entries.', v.object({ data: v.array(AUDIT_ENTRY), nextCursor: CURSOR }), {
        data: [
          {
            id: EXAMPLE_ID.other,
            at: EXAMPLE_INSTANT,
            actor: { type: 'user', id: EXAMPLE_ID.user },
            orgId: EXAMPLE_ID.organization,
            action: 'filter.create',
            result: 'success',
            resourceType: 'filter',
            resourceId: EXAMPLE_ID.filter,
            details: {},
            requestId: '01a20146-3761-70a3-8118-b63b5b8966e9',
            ip: '203.0.113.7',
          },
        ],
        nextCursor: null,
      }),
    },
    problems: ['not_found'],
  },
  'GET /healthz': {
    id: 'isAlive',
    tag: 'service',
    summary: 'Whether the process is alive',
    asker: 'anyone',
    answers: { 200: json('It is.', v.object({ status: v.literal('ok') }), { status: 'ok' }) },
  },
  'GET /readyz': {
    id: 'isReady',
    tag: 'service',
    summary: 'Whether requests should be sent here',
    asker: 'anyone',
    answers: {
      200: json('They should.', READINESS, { status: 'ready', checks: { database: true, running: true } }),
      503: json('They should not.', READINESS, {
        status: 'unready',
        checks: { database: false, running: true },
      }),
    },
  },
  'GET /.well-known/jwks.json': {
    id: 'readPublicKeys',
    tag: 'service',
    summary: 'The public keys that access tokens are signed with (RFC 7517)',
    asker: 'anyone',
    answers: {
      200: json(
        'A JWK set.',
        v.object({
          keys: v.array(
            v.object({
              kty: v.string(),
              crv: v.string(),
              x: v.string(),
              kid: v.string(),
              alg: v.string(),
              use: v.string(),
            }),
          ),
        }),
        {
          keys: [
            {
              kty: 'OKP',
              crv: 'Ed25519',
              x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
              kid: 'k1',
              alg: 'EdDSA',
              use: 'sig',
            },
          ],
        },
        ['Cache-Control'],
      ),
    },
  },
  'GET /api/v1/openapi.json': {
    id: 'readOpenApi',
    tag: 'service',
    summary: 'This document',
    asker: 'anyone',
    answers: {
      200: json('OpenAPI 3.1.', v.objectWithRest({ openapi: v.string() }, v.unknown()), { openapi: '3.1.1' }),
    },
  },
  'GET /docs': {
    id: 'readDocs',
    tag: 'service',
    summary: 'This document as a page to read',
    asker: 'anyone',
    answers: {
      200: {
        description: 'A page that loads nothing else.',
        content: { 'text/html': { example: '<!doctype html><title>Fleetsift API</title>' } },
      },
    },
  },
};
