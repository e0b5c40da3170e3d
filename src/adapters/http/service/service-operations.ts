import * as v from 'valibot';
import { type Shape, shown, text } from '#adapters/http/common-shapes.ts';
import { json, type Operations, operations } from '#adapters/http/openapi/operation.ts';

const LIVENESS = v.object({ status: v.literal('ok') });
export type LivenessBody = Shape<typeof LIVENESS>;

const READINESS = v.object({
  status: v.picklist(['ready', 'unready']),
  checks: shown(v.record(v.string(), v.boolean()), { database: true, running: true }),
  details: v.object({
    watchedFilters: shown(v.picklist(['current', 'late', 'unknown']), 'current'),
  }),
});
export type ReadinessBody = Shape<typeof READINESS>;

const PUBLIC_KEY = v.object({
  kty: text('OKP'),
  crv: text('Ed25519'),
  x: text('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'),
  kid: text('k1'),
  alg: text('EdDSA'),
  use: text('sig'),
});
export type PublicKey = Shape<typeof PUBLIC_KEY>;

export const SERVICE_OPERATIONS: Operations = operations('service', {
  'GET /healthz': {
    id: 'isAlive',
    summary: 'Whether the process is alive',
    asker: 'anyone',
    answers: { 200: json('The process is alive.', LIVENESS) },
  },
  'GET /readyz': {
    id: 'isReady',
    summary: 'Whether requests should be sent here',
    asker: 'anyone',
    answers: {
      200: json('Send requests here.', READINESS),
      503: json('Send requests elsewhere.', READINESS),
    },
  },
  'GET /.well-known/jwks.json': {
    id: 'readPublicKeys',
    summary: 'The public keys that verify access tokens (RFC 7517)',
    asker: 'anyone',
    answers: { 200: json('A JWK set.', v.object({ keys: v.array(PUBLIC_KEY) }), ['Cache-Control']) },
  },
  'GET /api/v1/openapi.json': {
    id: 'readOpenApi',
    summary: 'This document',
    asker: 'anyone',
    answers: {
      200: json(
        'OpenAPI 3.1.',
        shown(v.objectWithRest({ openapi: v.string() }, v.unknown()), { openapi: '3.1.1' }),
      ),
    },
  },
  'GET /docs': {
    id: 'readDocs',
    summary: 'This document as a page to read',
    asker: 'anyone',
    answers: {
      200: {
        description: 'A page without external resources.',
        content: { 'text/html': { example: '<!doctype html><title>Fleetsift API</title>' } },
      },
    },
  },
});
