/** The route under `/api/v1/search` (Spec: Endpoints, Search; Contract: §6). */
import { Hono } from 'hono';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentSearchResults } from '#adapters/http/present/present-filters.ts';
import { respondJson, respondProblem } from '#adapters/http/present/respond.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readSearchLimit, readSearchText } from '#adapters/http/read/read-query.ts';
import { toValidationError } from '#application/application-error.ts';
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
    const q = readSearchText(c);
    const limit = readSearchLimit(c);
    if (!q.ok || !limit.ok) {
      const faults = [q, limit].flatMap((read) => (read.ok ? [] : [read.error]));
      return respondProblem(c, toValidationError(faults));
    }
    const found = await search(c.get('call'), { q: q.value, limit: limit.value });
    return found.ok ? respondJson(c, 200, presentSearchResults(found.value)) : respondProblem(c, found.error);
  });

  return routes;
}
