/** The operations of devices and exports in the OpenAPI document (Contract: §10). */
import { EXAMPLE_CONDITIONS, EXAMPLE_TEXT } from '#adapters/http/filters/filter-shapes.ts';
import { body, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { DEVICE_LIST_QUERY } from './device-routes.ts';
import {
  DEVICE,
  DEVICE_CHANGE,
  DEVICE_FILTERS,
  DEVICE_LIST,
  DEVICE_QUERY,
  EXPORT_BODY,
} from './device-shapes.ts';

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
  'GET /api/v1/devices/:id/filters': {
    id: 'listDeviceFilters',
    summary: 'List the saved filters of its organization that a device matches',
    answers: { 200: json('By name.', DEVICE_FILTERS) },
    problems: ['filter_timeout'],
  },
});
