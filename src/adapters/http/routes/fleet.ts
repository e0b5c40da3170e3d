/** The routes of a fleet's lists and its summary (Contract: §10). */
import { Hono } from 'hono';
import { respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import {
  presentAlertPage,
  presentOrganizations,
  presentPatchPage,
  presentScriptPage,
  presentSites,
  presentSummary,
} from '#adapters/http/present/present-fleet.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import {
  ALERT_LIST_QUERY,
  ORGANIZATION_QUERY,
  PATCH_LIST_QUERY,
  SCRIPT_LIST_QUERY,
} from '#adapters/http/schemas/queries.ts';
import type { FleetUseCases } from '#application/fleet/fleet-use-cases.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface FleetRoutesDeps {
  readonly fleet: FleetUseCases;
  readonly authenticate: Authenticate;
}

/** The six routes, relative to `/api/v1`. */
export function fleetRoutes({ fleet, authenticate }: FleetRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/organizations', authenticate, async (c) =>
    respondResult(c, await fleet.listOrganizations(c.get('call')), presentOrganizations),
  );

  routes.get('/sites', authenticate, async (c) => {
    const query = readQuery(c, ORGANIZATION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await fleet.listSites(c.get('call'), query.value.orgId), presentSites);
  });

  routes.get('/alerts', authenticate, async (c) => {
    const query = readQuery(c, ALERT_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const { cursor: after, ...wanted } = query.value;
    return respondResult(c, await fleet.listAlerts(c.get('call'), { ...wanted, after }), presentAlertPage);
  });

  routes.get('/scripts', authenticate, async (c) => {
    const query = readQuery(c, SCRIPT_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const { cursor: after, ...wanted } = query.value;
    return respondResult(c, await fleet.listScripts(c.get('call'), { ...wanted, after }), presentScriptPage);
  });

  routes.get('/patches', authenticate, async (c) => {
    const query = readQuery(c, PATCH_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const { cursor: after, ...wanted } = query.value;
    return respondResult(c, await fleet.listPatches(c.get('call'), { ...wanted, after }), presentPatchPage);
  });

  routes.get('/summary', authenticate, async (c) => {
    const query = readQuery(c, ORGANIZATION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await fleet.summarizeFleet(c.get('call'), query.value.orgId), presentSummary);
  });

  return routes;
}
