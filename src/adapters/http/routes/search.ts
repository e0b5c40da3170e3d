/** The route under `/api/v1/search` (Spec: Endpoints, Search; Contract: §6). */
import { Hono } from 'hono';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentSearchResults } from '#adapters/http/present/present-filters.ts';
import { respondJson, respondProblem } from '#adapters/http/present/respond.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import { SEARCH_QUERY } from '#adapters/http/schemas/queries.ts';
import type { SearchEverything } from '#application/search/search-everything.ts';

/** Where everything is searched. */
export const SEARCH_PATH = '/api/v1/search';

/** What the route calls, and what stands before it. */
export interface SearchRoutesDeps {
  readonly search: SearchEverything;
  readonly authenticate: Authenticate;
}

/** The one route of the search, relative to {@link SEARCH_PATH}. */
export function searchRoutes({ search, authenticate }: SearchRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, SEARCH_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const found = await search(c.get('call'), query.value);
    return found.ok ? respondJson(c, 200, presentSearchResults(found.value)) : respondProblem(c, found.error);
  });

  return routes;
}
