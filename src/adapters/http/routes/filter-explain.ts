/** The routes that explain filters, relative to `/api/v1/filters` (Contract: §12). */
import { Hono } from 'hono';
import { respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import { presentExplanation } from '#adapters/http/present/present-explanation.ts';
import { readJsonObject, readOptionalJsonObject } from '#adapters/http/read/read-body.ts';
import { FILTER_NOT_FOUND } from '#application/application-error.ts';
import { parseId } from '#domain/ids.ts';
import type { FilterRoutesDeps } from './filters.ts';

export function filterExplainRoutes({ filters, authenticate }: FilterRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/explain', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { conditions, q, deviceId, orgId } = body.value;
    const explained = await filters.explainConditions(c.get('call'), { conditions, q, deviceId, orgId });
    return respondResult(c, explained, presentExplanation);
  });

  routes.post('/:id/explain', authenticate, async (c) => {
    const id = parseId<'filter'>(c.req.param('id'));
    if (id === null) return respondProblem(c, FILTER_NOT_FOUND);
    const body = await readOptionalJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { deviceId } = body.value;
    const explained = await filters.explainFilter(c.get('call'), id, { deviceId });
    return respondResult(c, explained, presentExplanation);
  });

  return routes;
}
