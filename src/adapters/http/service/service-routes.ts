/** Contract: §2, §9, §15. */
import { Hono } from 'hono';
import { respondJson, respondPage } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { PageAnswer } from '#adapters/http/pages.ts';
import type { WatchedFiltersState } from '#application/live/watched-filters-state.ts';
import type { Log } from '#application/ports/log.ts';
import type { LivenessBody, PublicKey, ReadinessBody } from './service-operations.ts';

export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
  readonly watchedFilters: WatchedFiltersState;
}

export interface ServiceRoutesDeps {
  readonly readiness: () => Promise<Readiness>;
  /** A JWK set. */
  readonly publicKeys: () => Promise<{ readonly keys: readonly object[] }>;
  readonly version: string;
  readonly basePath: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export function serviceRoutes({
  readiness,
  publicKeys,
  version,
  basePath,
  log,
}: ServiceRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  let wasReady = true;
  let text: Promise<string> | undefined;
  let page: Promise<PageAnswer> | undefined;

  routes.get('/healthz', (c) => respondJson(c, 200, ALIVE));

  routes.get('/readyz', async (c) => {
    const { isReady, checks, watchedFilters } = await readiness();
    if (isReady !== wasReady)
      log[isReady ? 'info' : 'warn']({ checks }, isReady ? 'ready again' : 'not ready');
    wasReady = isReady;
    const details = { watchedFilters };
    const body: ReadinessBody = { status: isReady ? 'ready' : 'unready', checks, details };
    return respondJson(c, isReady ? 200 : 503, JSON.stringify(body));
  });

  routes.get('/.well-known/jwks.json', async (c) => {
    const { keys } = await publicKeys();
    return respondJson(c, 200, JSON.stringify({ keys: keys.map(presentKey) }), CACHEABLE);
  });

  routes.get('/api/v1/openapi.json', async (c) => {
    text ??= makeDocument(version, basePath).then((document) => JSON.stringify(document));
    return respondJson(c, 200, await text);
  });

  routes.get('/docs', async (c) => {
    page ??= makeDocsPage(version, basePath);
    return respondPage(c, await page);
  });

  return routes;
}

const ALIVE = JSON.stringify({ status: 'ok' } satisfies LivenessBody);

/** Caching is harmless: a verifier that meets an unknown key fetches the keys again. */
const CACHEABLE = { 'Cache-Control': 'public, max-age=300' };

/** The public members of an OKP key (RFC 8037). The private member must never be sent. */
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'kid', 'alg', 'use'] as const satisfies (keyof PublicKey)[];

function presentKey(key: object): object {
  const isPublic = (member: string) => PUBLIC_MEMBERS.some((name) => name === member);
  return Object.fromEntries(Object.entries(key).filter(([member]) => isPublic(member)));
}

/** Loaded on demand, because few instances are asked for the document. */
async function makeDocument(version: string, basePath: string) {
  const { makeOpenApiDocument } = await import('#adapters/http/openapi/openapi-document.ts');
  return makeOpenApiDocument(version, basePath);
}

async function makeDocsPage(version: string, basePath: string): Promise<PageAnswer> {
  const { DOCS_POLICY, printDocsPage } = await import('#adapters/http/docs/docs-page.ts');
  return {
    status: 200,
    body: new TextEncoder().encode(printDocsPage(await makeDocument(version, basePath))),
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': DOCS_POLICY },
  };
}
