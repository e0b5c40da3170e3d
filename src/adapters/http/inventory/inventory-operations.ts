/** The operations of agents, inventories and enrolment keys in the OpenAPI document (Contract: §13). */
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { INVENTORY_QUERY } from './inventory-routes.ts';
import {
  AGENT_ANSWER,
  CREATED_ENROLMENT_KEY,
  ENROLMENT_KEYS,
  INVENTORY_DOCUMENT,
  NEW_ENROLMENT_KEY,
  TAKEN_INVENTORY,
} from './inventory-shapes.ts';

const DOCUMENT = {
  ...body(INVENTORY_DOCUMENT),
  codings: ['application/x-compress-zlib', 'application/x-compress-gzip', 'application/xml'],
};

export const INVENTORY_OPERATIONS: Operations = operations('inventory', {
  'POST /inventory': {
    id: 'reportAsAgent',
    summary: 'Where agents report, in the GLPI protocol',
    asker: 'machine',
    body: DOCUMENT,
    answers: { 200: json('What the agent should do next.', AGENT_ANSWER) },
    problems: ['conflict', 'quota_exceeded'],
  },
  'GET /inventory': {
    id: 'readAgentConfig',
    summary: 'What agents ask before a task: there are no jobs',
    description: 'Only with `?action=getConfig`.',
    asker: 'machine',
    answers: {
      200: {
        description: 'No jobs.',
        content: { 'application/json': { schema: AGENT_ANSWER, example: {} } },
      },
    },
  },
  'POST /api/v1/inventory': {
    id: 'takeInventory',
    summary: 'Report for a machine, as a script does',
    permission: DEVICES_WRITE,
    query: INVENTORY_QUERY,
    body: DOCUMENT,
    answers: {
      200: json('A known device was updated.', TAKEN_INVENTORY),
      201: json('A new device was added.', TAKEN_INVENTORY, ['Location']),
    },
    problems: ['conflict', 'not_found', 'quota_exceeded'],
  },
  'GET /api/v1/enrolment-keys': {
    id: 'listEnrolmentKeys',
    summary: 'List the enrolment keys in reach',
    permission: DEVICES_WRITE,
    answers: { 200: json('Without the keys themselves.', ENROLMENT_KEYS) },
  },
  'POST /api/v1/enrolment-keys': {
    id: 'createEnrolmentKey',
    summary: 'Create a key that lets machines of an organization report',
    permission: DEVICES_WRITE,
    needsFreshMfa: true,
    body: body(NEW_ENROLMENT_KEY),
    answers: { 201: json('The only answer that contains the key.', CREATED_ENROLMENT_KEY) },
    problems: ['not_found', 'quota_exceeded'],
  },
  'DELETE /api/v1/enrolment-keys/:id': {
    id: 'revokeEnrolmentKey',
    summary: 'Revoke an enrolment key',
    permission: DEVICES_WRITE,
    answers: { 204: empty('The key no longer works.') },
  },
});
