/** The routes of devices, exports of them included (Contract: §10). */
import * as v from 'valibot';
import { describeQuery, json, type Operation } from '#adapters/http/openapi/operation.ts';
import {
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
  wholeNumber,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import {
  DEVICE,
  DEVICE_LIST,
  EXAMPLE_DEVICE,
  EXAMPLE_LIST,
} from '#adapters/http/openapi/shapes/device-shapes.ts';
import { CONDITION_GROUP, EXAMPLE_CONDITIONS } from '#adapters/http/openapi/shapes/filter-shapes.ts';
import { DEVICE_LIST_QUERY } from '#adapters/http/schemas/queries.ts';
import { DEVICE_OFFSET } from '#application/devices/page-input.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import { HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import { EXPORT_FORMATS } from '#domain/export/print-export.ts';

const SORT = '`-` before the key turns it round.';
const COUNT = 'Whether `totalCount` is counted; by default on first pages only.';
const OFFSET = 'How many devices are left out; not together with a cursor.';

const QUERY_MEMBERS = {
  conditions: v.optional(CONDITION_GROUP),
  q: v.pipe(v.optional(v.string()), v.description('A filter text.')),
  filterId: v.pipe(v.optional(ID), v.description('A saved filter.')),
  orgId: v.pipe(v.optional(ID), v.description('Only devices of this organization.')),
};

const DEVICE_QUERY = v.pipe(
  v.object({
    ...QUERY_MEMBERS,
    sort: v.pipe(v.optional(v.picklist(DEVICE_SORTS)), v.description(SORT)),
    limit: v.optional(wholeNumber(PAGE_LIMIT), PAGE_LIMIT.fallback),
    cursor: v.optional(v.string()),
    offset: v.pipe(v.optional(wholeNumber(DEVICE_OFFSET)), v.description(OFFSET)),
    count: v.pipe(v.optional(v.boolean()), v.description(COUNT)),
  }),
  v.description('At most one of `conditions`, `q` and `filterId`; without any, all devices in reach.'),
);

const LIST = json('A page of devices.', DEVICE_LIST, EXAMPLE_LIST);

const LIST_PROBLEMS = ['ambiguous_custom_field', 'filter_timeout', 'invalid_cursor', 'not_found'] as const;

export const DEVICE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/devices': {
    id: 'listDevices',
    tag: 'devices',
    summary: 'List devices, page by page in any order',
    asker: 'caller',
    query: describeQuery(DEVICE_LIST_QUERY, {
      q: { description: 'A filter text; not together with `filterId`.', example: 'status:online' },
      filterId: { description: 'A saved filter.' },
      orgId: { description: 'Only devices of this organization.' },
      sort: { description: SORT, example: '-metrics.cpuPercent' },
      limit: { description: 'How many devices a page has; by default 50.', example: 50 },
      cursor: { description: 'The `nextCursor` of the page before.' },
      offset: { description: OFFSET, example: 0 },
      count: { description: COUNT, example: true },
    }),
    answers: { 200: LIST },
    problems: LIST_PROBLEMS,
  },
  'POST /api/v1/devices/query': {
    id: 'queryDevices',
    tag: 'devices',
    summary: 'List devices by conditions that do not fit a URL',
    asker: 'caller',
    body: { schema: DEVICE_QUERY, example: { conditions: EXAMPLE_CONDITIONS, sort: 'hostname', limit: 50 } },
    answers: { 200: LIST },
    problems: LIST_PROBLEMS,
  },
  'POST /api/v1/devices/export': {
    id: 'exportDevices',
    tag: 'devices',
    summary: 'Export all devices of a query as CSV or NDJSON',
    description: 'The answer is made as it is taken. If it cannot be finished, the connection breaks.',
    asker: 'caller',
    body: {
      schema: v.object({
        ...QUERY_MEMBERS,
        format: v.picklist(EXPORT_FORMATS),
        fields: v.pipe(
          v.optional(v.array(v.string())),
          v.description('Keys of fields, and `id`, `organization` and `site`, in this order.'),
        ),
      }),
      example: { q: 'os:windows disk:>90', format: 'csv', fields: ['hostname', 'organization', 'tags'] },
    },
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
  'GET /api/v1/devices/:id': {
    id: 'readDevice',
    tag: 'devices',
    summary: 'Read a device with all that belongs to it',
    asker: 'caller',
    answers: { 200: json('The device.', DEVICE, EXAMPLE_DEVICE, ['ETag']) },
  },
  'PATCH /api/v1/devices/:id': {
    id: 'updateDevice',
    tag: 'devices',
    summary: 'Change the display name, tags, custom values or status of a device',
    description: 'Members that are absent stay as they are.',
    asker: 'caller',
    permission: DEVICES_WRITE,
    conditional: 'If-Match',
    body: {
      schema: v.object({
        displayName: v.nullish(v.string()),
        tags: v.optional(v.array(v.string())),
        custom: v.pipe(
          v.optional(v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))),
          v.description('Values by the key of the field; null removes one.'),
        ),
        status: v.optional(v.picklist(HAND_SET_STATUSES)),
      }),
      example: { tags: ['vip'], custom: { cost_centre: '4711' }, status: 'maintenance' },
    },
    answers: { 200: json('The device as it is now.', DEVICE, EXAMPLE_DEVICE, ['ETag']) },
  },
  'GET /api/v1/devices/:id/filters': {
    id: 'listDeviceFilters',
    tag: 'devices',
    summary: 'List the saved filters of its organization that a device matches',
    asker: 'caller',
    answers: {
      200: json(
        'By name.',
        v.object({ data: v.array(v.object({ id: ID, name: v.string() })), evaluatedAt: INSTANT }),
        { data: [{ id: EXAMPLE_ID.filter, name: 'Almost out of disk' }], evaluatedAt: EXAMPLE_INSTANT },
      ),
    },
    problems: ['filter_timeout'],
  },
};
