/** The OpenAPI document of the API, and a page of it. Neither needs a credential: the routes are public (Contract: §15). */
import { Hono } from 'hono';
import { respondJson, respondPage } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { PageAnswer } from '#adapters/http/pages.ts';

export interface OpenApiRoutesDeps {
  /** Of the service. */
  readonly version: string;
}

/** `/api/v1/openapi.json` and `/docs`. */
export function openApiRoutes({ version }: OpenApiRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  let text: Promise<string> | undefined;
  let page: Promise<PageAnswer> | undefined;
  routes.get('/api/v1/openapi.json', async (c) => {
    text ??= printDocument(version);
    return respondJson(c, 200, await text);
  });
  routes.get('/docs', async (c) => {
    page ??= makeDocsPage(version);
    return respondPage(c, await page);
  });
  return routes;
}

/** Their modules are loaded when somebody asks, which most instances never see. */
async function makeDocument(version: string) {
  const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
  return makeOpenApiDocument(version);
}

async function printDocument(version: string): Promise<string> {
  return JSON.stringify(await makeDocument(version));
}

async function makeDocsPage(version: string): Promise<PageAnswer> {
  const { DOCS_POLICY, printDocsPage } = await import('#adapters/http/docs/docs-page.ts');
  return {
    status: 200,
    body: new TextEncoder().encode(printDocsPage(await makeDocument(version))),
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': DOCS_POLICY },
  };
}
