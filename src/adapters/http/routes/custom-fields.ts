/** The routes under `/api/v1/custom-fields` (Contract: §10). */
import { Hono } from 'hono';
import { respondDone, respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentCustomField, presentCustomFields } from '#adapters/http/present/present-custom-fields.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import { CUSTOM_FIELD_NOT_FOUND } from '#application/application-error.ts';
import type { CustomFieldInput } from '#application/custom-fields/custom-field-input.ts';
import type { CustomFieldUseCases } from '#application/custom-fields/custom-field-use-cases.ts';
import { parseId } from '#domain/ids.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface CustomFieldRoutesDeps {
  readonly customFields: CustomFieldUseCases;
  readonly authenticate: Authenticate;
}

/** The routes of custom fields, relative to `/api/v1/custom-fields`. */
export function customFieldRoutes({ customFields, authenticate }: CustomFieldRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) =>
    respondResult(c, await customFields.listCustomFields(c.get('call')), presentCustomFields),
  );

  routes.post('/', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const created = await customFields.createCustomField(c.get('call'), toInput(body.value));
    if (!created.ok) return respondProblem(c, created.error);
    const headers = { Location: `${c.req.path}/${created.value.id}` };
    return respondJson(c, 201, presentCustomField(created.value), headers);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = parseId<'custom-field'>(c.req.param('id'));
    if (id === null) return respondProblem(c, CUSTOM_FIELD_NOT_FOUND);
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const updated = await customFields.updateCustomField(c.get('call'), id, toInput(body.value));
    return respondResult(c, updated, presentCustomField);
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = parseId<'custom-field'>(c.req.param('id'));
    if (id === null) return respondProblem(c, CUSTOM_FIELD_NOT_FOUND);
    return respondDone(c, await customFields.deleteCustomField(c.get('call'), id));
  });

  return routes;
}

function toInput(body: Readonly<Record<string, unknown>>): CustomFieldInput {
  const { orgId, partnerId, key, name, type, choices } = body;
  return { orgId, partnerId, key, name, type, choices };
}
