/** The routes under `/api/v1/devices` (Contract: §10). */
import { Hono } from 'hono';
import { respondJson, respondProblem, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import {
  presentDevice,
  presentDeviceFilters,
  presentDeviceList,
} from '#adapters/http/present/present-devices.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { deviceTagOf, explainIfMatch, parseDeviceIfMatch } from '#adapters/http/read/entity-tag.ts';
import { readJsonObject } from '#adapters/http/read/read-body.ts';
import { readQuery } from '#adapters/http/read/read-query.ts';
import { DEVICE_LIST_QUERY } from '#adapters/http/schemas/queries.ts';
import { DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { DeviceUseCases } from '#application/devices/device-use-cases.ts';
import type { DeviceView } from '#application/devices/read-device.ts';
import { parseId } from '#domain/ids.ts';

/** The use cases behind the routes, and the middleware in front of them. */
export interface DeviceRoutesDeps {
  readonly devices: DeviceUseCases;
  readonly authenticate: Authenticate;
}

/** The routes of devices, relative to `/api/v1/devices`. */
export function deviceRoutes({ devices, authenticate }: DeviceRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, DEVICE_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await devices.listDevices(c.get('call'), query.value), presentDeviceList);
  });

  routes.post('/query', authenticate, async (c) => {
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { conditions, q, filterId, orgId, sort, limit, cursor, offset, count } = body.value;
    const input = { conditions, q, filterId, orgId, sort, limit, cursor, offset, count };
    return respondResult(c, await devices.listDevices(c.get('call'), input), presentDeviceList);
  });

  // Other methods are 405; without this it would be taken for the id of a device.
  routes.all('/query', (c) => c.notFound());

  routes.get('/:id', authenticate, async (c) => {
    const id = parseId<'device'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DEVICE_NOT_FOUND);
    const found = await devices.readDevice(c.get('call'), id);
    if (!found.ok) return respondProblem(c, found.error);
    return respondDevice(c, found.value);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = parseId<'device'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DEVICE_NOT_FOUND);
    const body = await readJsonObject(c);
    if (!body.ok) return respondProblem(c, body.error);
    const { displayName, tags, custom, status } = body.value;
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await devices.updateDevice(
      c.get('call'),
      id,
      { displayName, tags, custom, status },
      parseDeviceIfMatch(ifMatch),
    );
    return updated.ok
      ? respondDevice(c, updated.value)
      : respondProblem(c, explainIfMatch(updated.error, ifMatch, EXAMPLE_TAG));
  });

  routes.get('/:id/filters', authenticate, async (c) => {
    const id = parseId<'device'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DEVICE_NOT_FOUND);
    return respondResult(c, await devices.listDeviceFilters(c.get('call'), id), presentDeviceFilters);
  });

  return routes;
}

const EXAMPLE_TAG = '"0f3a5c7e9b1d2f4a"';

function respondDevice(c: HttpContext, device: DeviceView): Response {
  return respondJson(c, 200, presentDevice(device), { ETag: deviceTagOf(device.device) });
}
