/** The routes of API keys (Contract: §2). */
import * as v from 'valibot';
import { empty, json, type Operation } from '#adapters/http/openapi/operation.ts';
import {
  COUNT,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
  NAME,
} from '#adapters/http/openapi/shapes/common-shapes.ts';

const KEY_MEMBERS = {
  id: ID,
  name: v.string(),
  orgId: v.nullable(ID),
  permissions: v.array(v.string()),
  expiresAt: v.nullable(INSTANT),
  createdAt: INSTANT,
};

const API_KEY = v.object(KEY_MEMBERS);

const EXAMPLE_KEY = {
  id: EXAMPLE_ID.other,
  name: 'Deployment engine',
  orgId: null,
  permissions: ['devices:write'],
  expiresAt: null,
  createdAt: EXAMPLE_INSTANT,
};

export const API_KEY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/auth/api-keys': {
    id: 'listApiKeys',
    tag: 'API keys',
    summary: "List the caller's API keys",
    asker: 'caller',
    answers: {
      200: json('All that are good.', v.object({ data: v.array(API_KEY), total: COUNT }), {
        data: [EXAMPLE_KEY],
        total: 1,
      }),
    },
  },
  'POST /api/v1/auth/api-keys': {
    id: 'createApiKey',
    tag: 'API keys',
    summary: 'Create an API key',
    asker: 'caller',
    needsFreshMfa: true,
    body: {
      schema: v.object({
        name: NAME,
        permissions: v.pipe(
          v.nullish(v.array(v.string())),
          v.description('Some of your own; none by default.'),
        ),
        expiresAt: v.pipe(v.nullish(v.string()), v.description('ISO 8601; by default never.')),
      }),
      example: { name: EXAMPLE_KEY.name, permissions: EXAMPLE_KEY.permissions },
    },
    answers: {
      201: json('The key itself is shown this once.', v.object({ ...KEY_MEMBERS, key: v.string() }), {
        ...EXAMPLE_KEY,
        key: `fsk_${'x'.repeat(43)}`,
      }),
    },
    problems: ['forbidden'],
  },
  'DELETE /api/v1/auth/api-keys/:id': {
    id: 'revokeApiKey',
    tag: 'API keys',
    summary: 'Revoke an API key',
    asker: 'caller',
    answers: { 204: empty('It is void from now on.') },
    problems: ['forbidden'],
  },
};
