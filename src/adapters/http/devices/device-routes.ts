/** Contract: §10. */
import { Hono } from 'hono';
import * as v from 'valibot';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import { respondDone, respondJson, respondPieces, respondResult } from '#adapters/http/answer/respond.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import { deviceTagOf, explainIfMatch, parseRevisionIfMatch } from '#adapters/http/read/entity-tag.ts';
import {
  described,
  flag,
  leftToUseCase,
  oneOf,
  optional,
  type Parameter,
  text,
  uuid,
  wholeNumber,
} from '#adapters/http/read/query-parameters.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { AFTER, organization, pageSize, querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import { DEVICE_NOT_FOUND } from '#application/application-error.ts';
import { BULK_CHANGE_NOT_FOUND } from '#application/devices/bulk-change.ts';
import type { DeviceUseCases } from '#application/devices/device-use-cases.ts';
import type { ExportDevices } from '#application/devices/export-devices.ts';
import type { DeviceView } from '#application/devices/list-devices.ts';
import { DEVICE_OFFSET } from '#application/devices/page-input.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import type { ExportFormat } from '#domain/export/print-export.ts';
import {
  BULK_CHANGE,
  COUNT_TEXT,
  DEVICE_CHANGE,
  DEVICE_MERGE,
  DEVICE_QUERY,
  EXPORT_BODY,
  FIELDS_TEXT,
  OFFSET_TEXT,
  SORT_TEXT,
} from './device-shapes.ts';
import {
  presentBulkOutcome,
  presentDevice,
  presentDeviceFilters,
  presentDeviceList,
  presentDuplicates,
  presentUndoOutcome,
} from './present-devices.ts';

/** Leaves the value unchecked, because the use case checks it, as it does with values in a body. */
function unchecked<T>(parameter: Parameter<T>, description: string, example?: string | number | boolean) {
  return described(optional(leftToUseCase(parameter), undefined), description, example);
}

/** Splits at commas, so a field key whose software title contains a comma can only be sent in a body. */
const keys: Parameter<readonly string[]> = (name) =>
  v.pipe(
    text(name),
    v.transform((sent) => sent.split(',')),
  );

export const DEVICE_LIST_QUERY = querySchema({
  q: unchecked(text, 'A filter text; not together with `filterId`.', 'status:online'),
  filterId: unchecked(uuid, 'A saved filter.'),
  orgId: unchecked(uuid, 'Only devices of this organization.'),
  sort: unchecked(oneOf(DEVICE_SORTS), SORT_TEXT, '-metrics.cpuPercent'),
  limit: unchecked(wholeNumber(PAGE_LIMIT), 'The number of devices on a page; default 50.', 50),
  cursor: unchecked(text, AFTER),
  offset: unchecked(wholeNumber(DEVICE_OFFSET), OFFSET_TEXT, 0),
  count: unchecked(flag, COUNT_TEXT, true),
  fields: described(
    optional(keys, undefined),
    `${FIELDS_TEXT} Separated by commas.`,
    'hardware.model,network.ipAddress',
  ),
});

export const DUPLICATE_QUERY = querySchema({
  orgId: organization('Only devices of this organization.'),
  limit: pageSize,
  cursor: described(optional(text, null), AFTER),
});

const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

export interface DeviceRoutesDeps {
  readonly devices: DeviceUseCases;
  readonly exportDevices: ExportDevices;
  readonly authenticate: Authenticate;
}

export function deviceRoutes({ devices, exportDevices, authenticate }: DeviceRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, DEVICE_LIST_QUERY));
    return respondResult(c, await devices.listDevices(c.get('call'), query), presentDeviceList);
  });

  routes.post('/query', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, DEVICE_QUERY));
    return respondResult(c, await devices.listDevices(c.get('call'), body), presentDeviceList);
  });

  routes.post('/export', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, EXPORT_BODY));
    const begun = orRefuse(await exportDevices(c.get('call'), body));
    return respondPieces(c, begun.pieces, {
      'Content-Type': EXPORT_TYPES[begun.format],
      'Content-Disposition': `attachment; filename="devices.${begun.format}"`,
    });
  });

  routes.post('/bulk', authenticate, async (c) => {
    const body = orRefuse(await readBody(c, BULK_CHANGE));
    const outcome = await devices.bulkChangeDevices(c.get('call'), body);
    return respondResult(c, outcome, presentBulkOutcome);
  });

  routes.post('/bulk/:id/undo', authenticate, async (c) => {
    const id = pathId<'bulk-change'>(c, BULK_CHANGE_NOT_FOUND);
    return respondResult(c, await devices.undoBulkChange(c.get('call'), id), presentUndoOutcome);
  });

  routes.get('/duplicates', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, DUPLICATE_QUERY));
    return respondResult(c, await devices.listDuplicates(c.get('call'), query), presentDuplicates);
  });

  for (const path of ['/query', '/export', '/bulk', '/duplicates']) routes.all(path, (c) => c.notFound());

  routes.get('/:id', authenticate, async (c) => {
    const id = pathId<'device'>(c, DEVICE_NOT_FOUND);
    const found = orRefuse(await devices.readDevice(c.get('call'), id));
    return respondDevice(c, found);
  });

  routes.patch('/:id', authenticate, async (c) => {
    const id = pathId<'device'>(c, DEVICE_NOT_FOUND);
    const body = orRefuse(await readBody(c, DEVICE_CHANGE));
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await devices.updateDevice(c.get('call'), id, body, parseRevisionIfMatch(ifMatch));
    return respondDevice(c, orRefuse(explainIfMatch(updated, ifMatch, EXAMPLE_TAG)));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = pathId<'device'>(c, DEVICE_NOT_FOUND);
    const ifMatch = c.req.raw.headers.get('if-match');
    const deleted = await devices.deleteDevice(c.get('call'), id, parseRevisionIfMatch(ifMatch));
    return respondDone(c, explainIfMatch(deleted, ifMatch, EXAMPLE_TAG));
  });

  routes.post('/:id/merge', authenticate, async (c) => {
    const id = pathId<'device'>(c, DEVICE_NOT_FOUND);
    const body = orRefuse(await readBody(c, DEVICE_MERGE));
    return respondDevice(c, orRefuse(await devices.mergeDevices(c.get('call'), id, body)));
  });

  routes.get('/:id/filters', authenticate, async (c) => {
    const id = pathId<'device'>(c, DEVICE_NOT_FOUND);
    return respondResult(c, await devices.listDeviceFilters(c.get('call'), id), presentDeviceFilters);
  });

  return routes;
}

const EXAMPLE_TAG = '"0f3a5c7e9b1d2f4a"';

function respondDevice(c: HttpContext, device: DeviceView): Response {
  return respondJson(c, 200, presentDevice(device), { ETag: deviceTagOf(device.device) });
}
