/** The OpenAPI document of the API (Contract: §15). It needs no credential: the routes are public. */
import { Hono } from 'hono';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { respondJson } from '#adapters/http/present/respond.ts';

export interface OpenApiRoutesDeps {
  /** Of the service. */
  readonly version: string;
}

/** `/api/v1/openapi.json`. */
export function openApiRoutes({ version }: OpenApiRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  let text: Promise<string> | undefined;
  routes.get('/api/v1/openapi.json', async (c) => {
    text ??= printDocument(version);
    return respondJson(c, 200, await text);
  });
  return routes;
}

/** Its modules are loaded when somebody asks for it, which most instances never see. */
async function printDocument(version: string): Promise<string> {
  const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
  return JSON.stringify(makeOpenApiDocument(version));
}
