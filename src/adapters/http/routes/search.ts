/** The route under `/api/v1/search` (Spec: Endpoints, Search; Contract: §6). */
import { Hono } from 'hono';
import { respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentSearchResults } from '#adapters/http/present/present-search.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import { SEARCH_QUERY } from '#adapters/http/schemas/queries.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';

/** The use case behind the route, and the middleware in front of it. */
export interface SearchRoutesDeps {
  readonly search: SearchEverything;
  readonly authenticate: Authenticate;
}

/** The only route of the search, relative to `/api/v1/search`. */
export function searchRoutes({ search, authenticate }: SearchRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, SEARCH_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await search(c.get('call'), query.value), presentSearchResults);
  });

  return routes;
}
