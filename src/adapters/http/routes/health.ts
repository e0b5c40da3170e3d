/** Whether the process is alive, and whether it can do its work (Contract: §9). Neither needs a credential. */
import { Hono } from 'hono';
import { respondJson } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';

/** Whether requests should be sent here, and the checks behind that, by name. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
}

/** What the routes ask. */
export interface HealthRoutesDeps {
  readonly readiness: () => Promise<Readiness>;
}

/** `/healthz`: 200 while the process responds. `/readyz`: 200 or 503, with the checks. */
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
