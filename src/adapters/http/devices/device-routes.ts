/** The routes under `/api/v1/devices`, including exports (Contract: §10). */
import { Hono } from 'hono';
import * as v from 'valibot';
import {
  respondDone,
  respondJson,
  respondPieces,
  respondProblem,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import { EXAMPLE_CONDITIONS, EXAMPLE_TEXT } from '#adapters/http/filters/filter-shapes.ts';
import type { HttpContext, HttpEnv } from '#adapters/http/http-env.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
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
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import type { ExportFormat } from '#domain/export/print-export.ts';
import { parseId } from '#domain/ids.ts';
import {
  BULK_CHANGE,
  BULK_OUTCOME,
  COUNT_TEXT,
  DEVICE,
  DEVICE_CHANGE,
  DEVICE_FILTERS,
  DEVICE_LIST,
  DEVICE_MERGE,
  DEVICE_QUERY,
  DUPLICATES,
  EXPORT_BODY,
  FIELDS_TEXT,
  OFFSET_TEXT,
  SORT_TEXT,
  UNDO_OUTCOME,
} from './device-shapes.ts';
import {
  presentBulkOutcome,
  presentDevice,
  presentDeviceFilters,
  presentDeviceList,
  presentDuplicates,
  presentUndoOutcome,
} from './present-devices.ts';

/** The use case checks the value, as in a body. */
function unchecked<T>(parameter: Parameter<T>, description: string, example?: string | number | boolean) {
  return described(optional(leftToUseCase(parameter), undefined), description, example);
}

/** A title that has a comma fits in a body only. */
const keys: Parameter<readonly string[]> = (name) =>
  v.pipe(
    text(name),
    v.transform((sent) => sent.split(',')),
  );

const DEVICE_LIST_QUERY = querySchema({
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

const DUPLICATE_QUERY = querySchema({
  orgId: organization('Only devices of this organization.'),
  limit: pageSize,
  cursor: described(optional(text, null), AFTER),
});

const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
};

const LIST_PROBLEMS = ['ambiguous_custom_field', 'filter_timeout', 'invalid_cursor', 'not_found'] as const;

export const DEVICE_OPERATIONS: Operations = operations('devices', {
  'GET /api/v1/devices': {
    id: 'listDevices',
    summary: 'List devices, page by page in any order',
    query: DEVICE_LIST_QUERY,
    answers: { 200: json('A page of devices.', DEVICE_LIST) },
    problems: LIST_PROBLEMS,
  },
  'POST /api/v1/devices/query': {
    id: 'queryDevices',
    summary: 'List devices by conditions that do not fit a URL',
    body: body(DEVICE_QUERY, { conditions: EXAMPLE_CONDITIONS, sort: 'hostname', limit: 50 }),
    answers: { 200: json('A page of devices.', DEVICE_LIST) },
    problems: LIST_PROBLEMS,
  },
  'POST /api/v1/devices/export': {
    id: 'exportDevices',
    summary: 'Export all devices of a query as CSV or NDJSON',
    description: 'The answer is streamed. If it cannot be finished, the connection is closed early.',
    body: body(EXPORT_BODY, {
      q: EXAMPLE_TEXT,
      format: 'csv',
      fields: ['hostname', 'organization', 'tags'],
    }),
    answers: {
      200: {
        description: 'A line for each device.',
        content: {
          'text/csv': { example: 'hostname,organization,tags\r\nBAY-07,Kestrel Lane,vip; office\r\n' },
          'application/x-ndjson': {
            example: '{"hostname":"BAY-07","organization":"Kestrel Lane","tags":["vip","office"]}\n',
          },
        },
        headers: ['Content-Disposition'],
      },
    },
    problems: ['ambiguous_custom_field', 'filter_timeout', 'not_found'],
  },
  'POST /api/v1/devices/bulk': {
    id: 'changeDevices',
    summary: 'Change tags, custom values or status of all devices of a query at once',
    description: 'All of them are changed, or none. The change can be undone for ten minutes.',
    permission: DEVICES_WRITE,
    body: body(BULK_CHANGE, { q: EXAMPLE_TEXT, expectedCount: 1, change: { addTags: ['vip'] } }),
    answers: { 200: json('How many devices were changed.', BULK_OUTCOME) },
    problems: ['ambiguous_custom_field', 'count_changed', 'filter_timeout', 'not_found', 'too_many_devices'],
  },
  'POST /api/v1/devices/bulk/:id/undo': {
    id: 'undoChangeOfDevices',
    summary: 'Undo a change of many devices wherever nothing has been changed since',
    description: 'Within ten minutes, by the caller who made it.',
    permission: DEVICES_WRITE,
    answers: { 200: json('How many devices were given back.', UNDO_OUTCOME) },
  },
  'GET /api/v1/devices/duplicates': {
    id: 'listDuplicates',
    summary: 'List devices that are probably one machine, the surest first',
    description: 'A group has devices of one organization. Serial numbers that differ rule a pair out.',
    query: DUPLICATE_QUERY,
    answers: { 200: json('A page of groups.', DUPLICATES) },
    problems: ['filter_timeout', 'invalid_cursor', 'not_found'],
  },
  'GET /api/v1/devices/:id': {
    id: 'readDevice',
    summary: 'Read a device with all that belongs to it',
    answers: { 200: json('The device.', DEVICE, ['ETag']) },
  },
  'PATCH /api/v1/devices/:id': {
    id: 'updateDevice',
    summary: 'Change the display name, tags, custom values or status of a device',
    description: 'Absent members stay the same.',
    permission: DEVICES_WRITE,
    conditional: 'If-Match',
    body: body(DEVICE_CHANGE),
    answers: { 200: json('The changed device.', DEVICE, ['ETag']) },
  },
  'DELETE /api/v1/devices/:id': {
    id: 'deleteDevice',
    summary: 'Delete a device with all that belongs to it',
    description: 'A machine that reports again is a new device.',
    permission: DEVICES_WRITE,
    conditional: 'If-Match',
    answers: { 204: empty('The device is gone.') },
  },
  'POST /api/v1/devices/:id/merge': {
    id: 'mergeDevices',
    summary: 'Merge another device of the same organization into this one',
    description:
      'This one keeps its id, names, status, tags and custom values. What machines report comes from the device that was seen last.',
    permission: DEVICES_WRITE,
    body: body(DEVICE_MERGE),
    answers: { 200: json('The device that stays.', DEVICE, ['ETag']) },
    problems: ['different_machines'],
  },
  'GET /api/v1/devices/:id/filters': {
    id: 'listDeviceFilters',
    summary: 'List the saved filters of its organization that a device matches',
    answers: { 200: json('By name.', DEVICE_FILTERS) },
    problems: ['filter_timeout'],
  },
});

export interface DeviceRoutesDeps {
  readonly devices: DeviceUseCases;
  readonly exportDevices: ExportDevices;
  readonly authenticate: Authenticate;
}

export function deviceRoutes({ devices, exportDevices, authenticate }: DeviceRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();

  routes.get('/', authenticate, async (c) => {
    const query = readQuery(c, DEVICE_LIST_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await devices.listDevices(c.get('call'), query.value), presentDeviceList);
  });

  routes.post('/query', authenticate, async (c) => {
    const body = await readBody(c, DEVICE_QUERY);
    if (!body.ok) return respondProblem(c, body.error);
    return respondResult(c, await devices.listDevices(c.get('call'), body.value), presentDeviceList);
  });

  routes.post('/export', authenticate, async (c) => {
    const body = await readBody(c, EXPORT_BODY);
    if (!body.ok) return respondProblem(c, body.error);
    const begun = await exportDevices(c.get('call'), body.value);
    if (!begun.ok) return respondProblem(c, begun.error);
    return respondPieces(c, begun.value.pieces, {
      'Content-Type': EXPORT_TYPES[begun.value.format],
      'Content-Disposition': `attachment; filename="devices.${begun.value.format}"`,
    });
  });

  routes.post('/bulk', authenticate, async (c) => {
    const body = await readBody(c, BULK_CHANGE);
    if (!body.ok) return respondProblem(c, body.error);
    const outcome = await devices.bulkChangeDevices(c.get('call'), body.value);
    return respondResult(c, outcome, presentBulkOutcome);
  });

  routes.post('/bulk/:id/undo', authenticate, async (c) => {
    const id = parseId<'bulk-change'>(c.req.param('id'));
    if (id === null) return respondProblem(c, BULK_CHANGE_NOT_FOUND);
    return respondResult(c, await devices.undoBulkChange(c.get('call'), id), presentUndoOutcome);
  });

  // Answers other methods with 405. Otherwise the words would be taken for ids.
  routes.get('/duplicates', authenticate, async (c) => {
    const query = readQuery(c, DUPLICATE_QUERY);
    if (!query.ok) return respondProblem(c, query.error);
    return respondResult(c, await devices.listDuplicates(c.get('call'), query.value), presentDuplicates);
  });

  for (const path of ['/query', '/export', '/bulk', '/duplicates']) routes.all(path, (c) => c.notFound());

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
    const body = await readBody(c, DEVICE_CHANGE);
    if (!body.ok) return respondProblem(c, body.error);
    const ifMatch = c.req.raw.headers.get('if-match');
    const updated = await devices.updateDevice(c.get('call'), id, body.value, parseRevisionIfMatch(ifMatch));
    return updated.ok
      ? respondDevice(c, updated.value)
      : respondProblem(c, explainIfMatch(updated.error, ifMatch, EXAMPLE_TAG));
  });

  routes.delete('/:id', authenticate, async (c) => {
    const id = parseId<'device'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DEVICE_NOT_FOUND);
    const ifMatch = c.req.raw.headers.get('if-match');
    const deleted = await devices.deleteDevice(c.get('call'), id, parseRevisionIfMatch(ifMatch));
    return deleted.ok
      ? respondDone(c, deleted)
      : respondProblem(c, explainIfMatch(deleted.error, ifMatch, EXAMPLE_TAG));
  });

  routes.post('/:id/merge', authenticate, async (c) => {
    const id = parseId<'device'>(c.req.param('id'));
    if (id === null) return respondProblem(c, DEVICE_NOT_FOUND);
    const body = await readBody(c, DEVICE_MERGE);
    if (!body.ok) return respondProblem(c, body.error);
    const merged = await devices.mergeDevices(c.get('call'), id, body.value);
    return merged.ok ? respondDevice(c, merged.value) : respondProblem(c, merged.error);
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
