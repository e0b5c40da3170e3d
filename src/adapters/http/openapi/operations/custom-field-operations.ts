/** The routes of custom fields (Contract: §10). */
import * as v from 'valibot';
import { empty, json, type Operation } from '#adapters/http/openapi/operation.ts';
import { EXAMPLE_ID, ID, NAME } from '#adapters/http/openapi/shapes/common-shapes.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { CUSTOM_FIELD_TYPES } from '#domain/fleet/fleet-record.ts';

const MEMBERS = {
  key: v.pipe(v.string(), v.description('What filters name it by, behind `custom.`.')),
  name: NAME,
  type: v.picklist(CUSTOM_FIELD_TYPES),
  choices: v.pipe(v.optional(v.array(v.string())), v.description('Of a dropdown, and of nothing else.')),
};

export const CUSTOM_FIELD = v.object({
  id: ID,
  orgId: v.optional(ID),
  partnerId: v.pipe(v.optional(ID), v.description('Of a field of all organizations of a partner.')),
  ...MEMBERS,
});

const OWNER = { orgId: v.nullish(ID), partnerId: v.nullish(ID) };

const EXAMPLE = { key: 'cost_centre', name: 'Cost centre', type: 'dropdown', choices: ['4711', '4712'] };
const EXAMPLE_FIELD = { id: EXAMPLE_ID.other, orgId: EXAMPLE_ID.organization, ...EXAMPLE };

export const CUSTOM_FIELD_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/custom-fields': {
    id: 'listCustomFields',
    tag: 'custom fields',
    summary: 'List the custom fields in reach',
    asker: 'caller',
    permission: DEVICES_WRITE,
    answers: {
      200: json('All of them.', v.object({ data: v.array(CUSTOM_FIELD) }), { data: [EXAMPLE_FIELD] }),
    },
  },
  'POST /api/v1/custom-fields': {
    id: 'createCustomField',
    tag: 'custom fields',
    summary: 'Define a custom field of an organization or a partner',
    asker: 'caller',
    permission: DEVICES_WRITE,
    body: {
      schema: v.object({ ...OWNER, ...MEMBERS, choices: v.nullish(v.array(v.string())) }),
      example: { orgId: EXAMPLE_ID.organization, ...EXAMPLE },
    },
    answers: { 201: json('The field.', CUSTOM_FIELD, EXAMPLE_FIELD, ['Location']) },
    problems: ['conflict', 'not_found', 'quota_exceeded'],
  },
  'PATCH /api/v1/custom-fields/:id': {
    id: 'updateCustomField',
    tag: 'custom fields',
    summary: 'Change the name or the choices of a custom field',
    description: 'The other members may be sent as they are.',
    asker: 'caller',
    permission: DEVICES_WRITE,
    body: {
      schema: v.partial(v.object({ ...OWNER, ...MEMBERS, choices: v.nullish(v.array(v.string())) })),
      example: { name: 'Cost centre', choices: ['4711', '4712', '4713'] },
    },
    answers: { 200: json('The field as it is now.', CUSTOM_FIELD, EXAMPLE_FIELD) },
    problems: ['conflict', 'quota_exceeded'],
  },
  'DELETE /api/v1/custom-fields/:id': {
    id: 'deleteCustomField',
    tag: 'custom fields',
    summary: 'Delete the definition of a custom field',
    asker: 'caller',
    permission: DEVICES_WRITE,
    answers: { 204: empty('It is gone; values that devices have stay where they are.') },
  },
};
