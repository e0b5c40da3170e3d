/** The OpenAPI document has every route, is valid, and its examples match their schemas. */
import { Validator } from '@seriousme/openapi-schema-validator';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { OPERATIONS, toShownSchema } from '#adapters/http/openapi/all-operations.ts';
import { makeOpenApiDocument } from '#adapters/http/openapi/openapi-document.ts';
import { shownParameter } from '#adapters/http/read/query-parameters.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import { fakeHttp } from '#test/support/http/http-fakes.ts';
import { openApiChecks } from '#test/support/http/openapi-checks.ts';

test('the document has every route, and no route that does not exist', () => {
  const { app } = fakeHttp();
  const registered = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(OPERATIONS).sort()).toStrictEqual([...new Set(registered)].sort());
});

test('GET /api/v1/openapi.json answers with the document, without a credential', async () => {
  const answer = await fakeHttp().app.request('/api/v1/openapi.json');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toStrictEqual(JSON.parse(JSON.stringify(makeOpenApiDocument('1.2.3', ''))));
});

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(
    JSON.parse(JSON.stringify(makeOpenApiDocument('1.2.3', ''))),
  );
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
});

test('every reference in the document has a target', () => {
  const document = JSON.parse(JSON.stringify(makeOpenApiDocument('1.2.3', '')));
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(100);
  for (const [, pointer = ''] of references) {
    const target = pointer.split('/').reduce((at, key) => at?.[key], document);
    expect([pointer, typeof target]).toStrictEqual([pointer, 'object']);
  }
});

test("the document follows Spectral's rules for OpenAPI", () => {
  const { info, tags, paths, components } = JSON.parse(JSON.stringify(makeOpenApiDocument('1.2.3', '')));
  expect(info.contact.name).toBeTruthy();
  const defined = tags.map(({ name }: { name: string }) => name);
  const operations: { description: string; tags: string[]; security: Record<string, string[]>[] }[] =
    Object.values(paths).flatMap((methods) => Object.values(methods as object));
  expect(operations.length).toBeGreaterThan(60);
  for (const operation of operations) {
    expect(operation.description).toMatch(/\.$/);
    expect(defined).toEqual(expect.arrayContaining(operation.tags));
    // None of our schemes is OAuth, so none has scopes.
    expect(operation.security.flatMap((schemes) => Object.values(schemes).flat())).toStrictEqual([]);
  }
  const text = JSON.stringify({ paths, components });
  const names = (['headers', 'examples', 'schemas'] as const).flatMap((kind) =>
    Object.keys(components[kind]).map((name) => `"#/components/${kind}/${name}"`),
  );
  expect(names.filter((name) => !text.includes(name))).toStrictEqual([]);
});

test('every operation has a unique name, and a text for each parameter', () => {
  const ids = Object.values(OPERATIONS).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { query } of Object.values(OPERATIONS)) {
    for (const parameter of Object.values(query?.entries ?? {})) {
      expect(shownParameter(parameter as v.GenericSchema).description).toMatch(/\.$/);
    }
  }
});

test.each([
  ['POST /api/v1/filters', 'name', '1 to 200'],
  ['PATCH /api/v1/filters/:id', 'name', '1 to 200'],
  ['POST /api/v1/filters', 'description', '"maxLength":1000'],
  ['POST /api/v1/custom-fields', 'name', '1 to 200'],
  ['POST /api/v1/auth/api-keys', 'name', '1 to 200'],
  ['POST /api/v1/enrolment-keys', 'name', '1 to 200'],
  ['POST /api/v1/auth/password', 'newPassword', '"minLength":8,"maxLength":256'],
  ['POST /api/v1/auth/account-deletion-request', 'reason', 'At most 2000'],
  ['POST /api/v1/admin/account-deletion-requests/:id/process', 'adminNote', 'At most 2000'],
])('%s says how long %s may be: %s', (route, member, length) => {
  const body = OPERATIONS[route]?.body;
  if (body === undefined) throw new Error('the document does not have it');
  const { properties } = toShownSchema(body.schema) as { readonly properties: Record<string, unknown> };
  expect(JSON.stringify(properties[member])).toContain(length);
});

test.each([
  ['filterId', { type: 'string', format: 'uuid' }],
  ['orgId', { type: 'string', format: 'uuid' }],
  ['sort', { type: 'string', enum: DEVICE_SORTS }],
])('the document shows what %s takes in lists of devices, in the query and in a body', (name, shown) => {
  const { query } = OPERATIONS['GET /api/v1/devices'] ?? {};
  const { body } = OPERATIONS['POST /api/v1/devices/query'] ?? {};
  if (query === undefined || body === undefined) throw new Error('the document does not have them');
  expect(shownParameter(query.entries[name] as v.GenericSchema).jsonSchema).toStrictEqual(shown);
  expect(toShownSchema(body.schema)).toMatchObject({ properties: { [name]: shown } });
});

test.each(Object.entries(OPERATIONS))('the examples of %s are valid', (route, { body, answers }) => {
  const [method = '', path = ''] = route.split(' ');
  const shown = openApiChecks().find(method.toLowerCase(), path.replace(/:\w+/, '0196f000'));
  if (shown === null) throw new Error('the document does not have it');
  if (body !== undefined) shown.checkBody(route, body.example);
  for (const [status, { content = {} }] of Object.entries(answers)) {
    for (const [mediaType, { example }] of Object.entries(content)) {
      const headers = new Headers({ 'content-type': mediaType, 'x-request-id': 'r' });
      shown.checkAnswer(route, { status: Number(status), headers }, example);
    }
  }
});

test.each([
  ['an undocumented member', 200, { status: 'ok', more: 1 }, 'additional'],
  ['a required member missing', 200, {}, 'required'],
  ['an undocumented status', 418, { status: 'ok' }, 'no answer'],
])('the check finds an answer with %s', (_, status, body, complaint) => {
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'r' });
  const shown = openApiChecks().find('get', '/healthz');
  expect(() => shown?.checkAnswer('GET /healthz', { status, headers }, body)).toThrow(complaint);
});
