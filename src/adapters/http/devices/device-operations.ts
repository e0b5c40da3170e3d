import { EXAMPLE_CONDITIONS, EXAMPLE_TEXT } from '#adapters/http/filters/filter-shapes.ts';
import { body, empty, json, type Operations, operations } from '#adapters/http/openapi/operation.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import { DEVICE_LIST_QUERY, DUPLICATE_QUERY } from './device-routes.ts';
import {
  BULK_CHANGE,
  BULK_OUTCOME,
  DEVICE,
  DEVICE_CHANGE,
  DEVICE_FILTERS,
  DEVICE_LIST,
  DEVICE_MERGE,
  DEVICE_QUERY,
  DUPLICATES,
  EXPORT_BODY,
  UNDO_OUTCOME,
} from './device-shapes.ts';

const LIST_PROBLEMS = ['ambiguous_custom_field', 'filter_timeout', 'invalid_cursor', 'not_found'] as const;

export const DEVICE_OPERATIONS: Operations = operations('devices', {
  'GET /api/v1/devices': {
    id: 'listDevices',
    summary: 'List devices page by page, sorted as requested',
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
    summary: 'Undo a change of many devices, except where they have changed since',
    description: 'Within ten minutes, by the caller who made it.',
    permission: DEVICES_WRITE,
    answers: { 200: json('How many devices were restored.', UNDO_OUTCOME) },
  },
  'GET /api/v1/devices/duplicates': {
    id: 'listDuplicates',
    summary: 'List devices that are probably the same machine, the most likely first',
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
    description: 'Absent members do not change.',
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
