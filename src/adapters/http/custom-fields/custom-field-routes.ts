/** Contract: §10. */
import { Hono } from 'hono';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondJson, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { CUSTOM_FIELD_NOT_FOUND } from '#application/application-error.ts';
import type { CustomFieldUseCases } from '#application/custom-fields/custom-field-use-cases.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';
import {
  CUSTOM_FIELD,
  CUSTOM_FIELD_CHANGE,
  CUSTOM_FIELDS,
  type CustomField,
  NEW_CUSTOM_FIELD,
} from './custom-field-shapes.ts';

export const CUSTOM_FIELD_OPERATIONS: Operations = operations('custom fields', {
  'GET /api/v1/custom-fields': {
    id: 'listCustomFields',
    summary: 'List the custom fields in reach',
    permission: DEVICES_WRITE,
    answers: { 200: json('All custom fields in reach.', CUSTOM_FIELDS) },
  },
  'POST /api/v1/custom-fields': {
    id: 'createCustomField',
    summary: 'Define a custom field of an organization or a partner',
    permission: DEVICES_WRITE,
    body: body(NEW_CUSTOM_FIELD),
    answers: { 201: json('The field.', CUSTOM_FIELD, ['Location']) },
    problems: ['conflict', 'not_found', 'quota_exceeded'],
  },
  'PATCH /api/v1/custom-fields/:id': {
    id: 'updateCustomField',
    summary: 'Change the name or the choices of a custom field',
    description: 'Other members may be sent if they stay the same.',
    permission: DEVICES_WRITE,
    body: body(CUSTOM_FIELD_CHANGE, { name: 'Cost centre', choices: ['4711', '4712', '4713'] }),
    answers: { 200: json('The changed field.', CUSTOM_FIELD) },
    problems: ['conflict', 'quota_exceeded'],
  },
  'DELETE /api/v1/custom-fields/:id': {
    id: 'deleteCustomField',
    summary: 'Delete the definition of a custom field',
    permission: DEVICES_WRITE,
    answers: { 204: empty('The definition is deleted; devices keep their values.') },
  },
});

export interface CustomFieldRoutesDeps {
  readonly customFields: CustomFieldUseCases;
  readonly authenticate: Authenticate;
}

export function customFieldRoutes({ customFields, authenticate }: CustomFieldRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) =>
    respondResult(c, await customFields.listCustomFields(c.get('call')), (fields) =>
      JSON.stringify({ data: fields.map(toCustomField) }),
    ),
  );

  routes.post('/', authenticate, async (c) => {
    const sent = orRefuse(await readBody(c, NEW_CUSTOM_FIELD));
    const created = orRefuse(await customFields.createCustomField(c.get('call'), sent));
    const headers = { Location: `${c.req.path}/${created.id}` };
    return respondJson(c, 201, presentCustomField(created), headers);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = pathId<'custom-field'>(c, CUSTOM_FIELD_NOT_FOUND);
    const sent = orRefuse(await readBody(c, CUSTOM_FIELD_CHANGE));
    const updated = await customFields.updateCustomField(c.get('call'), id, sent);
    return respondResult(c, updated, presentCustomField);
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = pathId<'custom-field'>(c, CUSTOM_FIELD_NOT_FOUND);
    return respondDone(c, await customFields.deleteCustomField(c.get('call'), id));
  });

  return routes;
}

function presentCustomField(field: CustomFieldRecord): string {
  return JSON.stringify(toCustomField(field));
}

function toCustomField({ id, owner, key, name, type, choices }: CustomFieldRecord): CustomField {
  const of = owner.kind === 'organization' ? { orgId: owner.orgId } : { partnerId: owner.partnerId };
  return { id, ...of, key, name, type, ...(type === 'dropdown' && { choices }) };
}
