/** Whether the process is alive, and whether it can do its work (Contract: §9). Neither asks for a credential. */
import { Hono } from 'hono';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { respondJson } from '#adapters/http/present/respond.ts';

/** What has to be in order before requests should come here, by name. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** Where the state of things is asked. */
export interface HealthRoutesDeps {
  readonly readiness: () => Promise<Readiness>;
}

/** `/healthz`: 200 as long as the process answers. `/readyz`: 200 or 503, with the checks. */
export function healthRoutes({ readiness }: HealthRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.get('/healthz', (c) => respondJson(c, 200, JSON.stringify({ status: 'ok' })));
  routes.get('/readyz', async (c) => {
    const { isReady, checks } = await readiness();
    return respondJson(
      c,
      isReady ? 200 : 503,
      JSON.stringify({ status: isReady ? 'ready' : 'unready', checks }),
    );
  });
  return routes;
}
