/**
 * Answers requests that match no route. A known path answers 204 to OPTIONS, and 405 to methods that it
 * lacks. Any other path is a page or 404 (Contract: §1, §14).
 */
import type { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { type FindPages, findPage } from '#adapters/http/pages.ts';
import { respondEmpty, respondPage, respondProblem } from './respond.ts';

/** `Allow` comes from the first route that matches the path. */
export function makeAnswerUnrouted(
  app: Hono<HttpEnv>,
  findPages: FindPages = () => null,
): (c: HttpContext) => Response {
  // Built on first use, when all routes have been added.
  let allowedByPath: TrieRouter<string> | undefined;
  return (c) => {
    allowedByPath ??= mapAllowedMethods(app);
    const allow = allowedByPath.match('ALL', c.req.path)[0][0]?.[0];
    if (allow === undefined) {
      const page = findPage(findPages(), c.req.raw, c.req.path);
      if (page !== null) return respondPage(c, page);
      return respondProblem(c, { code: 'not_found', detail: 'There is nothing at this address.' });
    }
    if (c.req.method === 'OPTIONS') return respondEmpty(c, 204, { Allow: allow });
    return respondProblem(
      c,
      { code: 'method_not_allowed', detail: `This address accepts ${allow}.` },
      { Allow: allow },
    );
  };
}

function mapAllowedMethods(app: Hono<HttpEnv>): TrieRouter<string> {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  const router = new TrieRouter<string>();
  for (const [path, same] of Map.groupBy(routes, (route) => route.path)) {
    const methods = new Set([...same.map(({ method }) => method), 'OPTIONS']);
    if (methods.has('GET')) methods.add('HEAD');
    router.add('ALL', path, [...methods].sort().join(', '));
  }
  return router;
}
