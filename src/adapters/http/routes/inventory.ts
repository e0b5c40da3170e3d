/** `/api/v1/inventory`: inventories from scripts, as `import` reads them from files (Contract: §13). */
import { Hono } from 'hono';
import { respondJson, respondProblem } from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { readDocumentBody } from '#adapters/http/read/read-document.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import { ORGANIZATION_QUERY } from '#adapters/http/schemas/queries.ts';
import type { TakeInventory } from '#application/inventory/take-inventory.ts';

export interface InventoryRoutesDeps {
  readonly takeInventory: TakeInventory;
  readonly authenticate: Authenticate;
}

/** Relative to `/api/v1/inventory`. 201 with `{deviceId, created}` where the device is new, else 200 with the same. */
export function inventoryRoutes({ takeInventory, authenticate }: InventoryRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.post('/', authenticate, async (c) => {
    const query = readQuery(c, ORGANIZATION_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    const document = await readDocumentBody(c);
    if (!document.ok) return respondProblem(c, document.error);
    const input = { orgId: query.value.orgId, document: document.value };
    const taken = await takeInventory(c.get('call'), input);
    if (!taken.ok) return respondProblem(c, taken.error);
    const { deviceId, created } = taken.value;
    const headers = created ? { Location: `/api/v1/devices/${deviceId}` } : {};
    return respondJson(c, created ? 201 : 200, JSON.stringify({ deviceId, created }), headers);
  });

  return routes;
}
