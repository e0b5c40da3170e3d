/** The routes of machines that report by themselves, and of those who let them (Contract: §13). */
import * as v from 'valibot';
import {
  type DescribedBody,
  describeQuery,
  empty,
  json,
  type Operation,
} from '#adapters/http/openapi/operation.ts';
import {
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
  NAME,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import { ORGANIZATION_QUERY } from '#adapters/http/schemas/queries.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';

const KEY_MEMBERS = {
  id: ID,
  orgId: ID,
  siteId: v.nullable(ID),
  name: v.string(),
  expiresAt: v.nullable(INSTANT),
  createdAt: INSTANT,
};

const EXAMPLE_KEY = {
  id: EXAMPLE_ID.other,
  orgId: EXAMPLE_ID.organization,
  siteId: EXAMPLE_ID.site,
  name: 'Warehouse',
  expiresAt: null,
  createdAt: EXAMPLE_INSTANT,
};

const COMPRESSED = ['application/x-compress-zlib', 'application/x-compress-gzip'];

const DOCUMENT: DescribedBody = {
  schema: v.pipe(v.record(v.string(), v.unknown()), v.description('An inventory in the GLPI format.')),
  example: {
    action: 'inventory',
    deviceid: 'bay-07-2025-06-02-10-15-00',
    itemtype: 'Computer',
    content: { hardware: { name: 'BAY-07' }, versionclient: 'GLPI-Agent_v1.11' },
  },
  codings: [...COMPRESSED, 'application/xml'],
};

const TAKEN = v.object({ deviceId: ID, created: v.boolean() });

const AGENT_ANSWER = v.object({
  status: v.optional(v.literal('ok')),
  message: v.pipe(v.optional(v.string()), v.description('For the log of the agent.')),
  expiration: v.pipe(v.optional(v.number()), v.description('When to call again, in hours.')),
  tasks: v.optional(v.object({ inventory: v.object({ server: v.string(), version: v.string() }) })),
  disabled: v.pipe(v.optional(v.array(v.string())), v.description('Tasks that are not for this server.')),
});

export const INVENTORY_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /inventory': {
    id: 'reportAsAgent',
    tag: 'inventory',
    summary: 'Where agents report, in the GLPI protocol',
    asker: 'machine',
    body: DOCUMENT,
    answers: { 200: json('What the agent is to do.', AGENT_ANSWER, { status: 'ok', expiration: 24 }) },
    problems: ['conflict', 'quota_exceeded'],
  },
  'GET /inventory': {
    id: 'readAgentConfig',
    tag: 'inventory',
    summary: 'What agents ask before a task: there are no jobs',
    description: 'With `?action=getConfig`, and nothing else.',
    asker: 'machine',
    answers: { 200: json('No jobs.', AGENT_ANSWER, {}) },
  },
  'POST /api/v1/inventory': {
    id: 'takeInventory',
    tag: 'inventory',
    summary: 'Report for a machine, as a script does',
    asker: 'caller',
    permission: DEVICES_WRITE,
    query: describeQuery(ORGANIZATION_QUERY, {
      orgId: { description: 'Whose device it is; needed by whoever reaches several organizations.' },
    }),
    body: DOCUMENT,
    answers: {
      200: json('A known device has been updated.', TAKEN, { deviceId: EXAMPLE_ID.device, created: false }),
      201: json('It is a new device.', TAKEN, { deviceId: EXAMPLE_ID.device, created: true }, ['Location']),
    },
    problems: ['conflict', 'not_found', 'quota_exceeded'],
  },
  'GET /api/v1/enrolment-keys': {
    id: 'listEnrolmentKeys',
    tag: 'inventory',
    summary: 'List the enrolment keys in reach',
    asker: 'caller',
    permission: DEVICES_WRITE,
    answers: {
      200: json('Without the keys themselves.', v.object({ data: v.array(v.object(KEY_MEMBERS)) }), {
        data: [EXAMPLE_KEY],
      }),
    },
  },
  'POST /api/v1/enrolment-keys': {
    id: 'createEnrolmentKey',
    tag: 'inventory',
    summary: 'Create a key that lets machines of an organization report',
    asker: 'caller',
    permission: DEVICES_WRITE,
    needsFreshMfa: true,
    body: {
      schema: v.object({
        orgId: v.nullish(ID),
        siteId: v.nullish(ID),
        name: NAME,
        expiresAt: v.pipe(v.nullish(v.string()), v.description('ISO 8601; by default never.')),
      }),
      example: { orgId: EXAMPLE_ID.organization, siteId: EXAMPLE_ID.site, name: EXAMPLE_KEY.name },
    },
    answers: {
      201: json('The key itself is shown this once.', v.object({ ...KEY_MEMBERS, key: v.string() }), {
        ...EXAMPLE_KEY,
        key: `fse_${'x'.repeat(43)}`,
      }),
    },
    problems: ['not_found', 'quota_exceeded'],
  },
  'DELETE /api/v1/enrolment-keys/:id': {
    id: 'revokeEnrolmentKey',
    tag: 'inventory',
    summary: 'Revoke an enrolment key',
    asker: 'caller',
    permission: DEVICES_WRITE,
    answers: { 204: empty('It is void from now on.') },
  },
};
