/** The routes of a fleet's lists, its summary and the search (Contract: §6, §10). */
import * as v from 'valibot';
import { describeQuery, json, type Operation, type ParameterText } from '#adapters/http/openapi/operation.ts';
import {
  COUNT,
  CURSOR,
  EXAMPLE_ID,
  EXAMPLE_INSTANT,
  ID,
  INSTANT,
} from '#adapters/http/openapi/shapes/common-shapes.ts';
import {
  ALERT_LIST_QUERY,
  ORGANIZATION_QUERY,
  PATCH_LIST_QUERY,
  SCRIPT_LIST_QUERY,
  SEARCH_QUERY,
} from '#adapters/http/schemas/queries.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, OS_TYPES } from '#domain/device/device.ts';
import { ALERT_SEVERITIES, ALERT_STATUSES } from '#domain/fleet/fleet-record.ts';

const ORG_ID: ParameterText = { description: 'Only what belongs to this organization.' };
const LIMIT: ParameterText = { description: 'How many a page has.', example: 50 };
const AFTER: ParameterText = { description: 'The `nextCursor` of the page before.' };

const TEXT = v.nullable(v.string());

const ORGANIZATION = v.object({
  id: ID,
  name: v.string(),
  partnerId: ID,
  partnerName: v.string(),
  deviceCount: COUNT,
});

const SITE = v.object({ id: ID, orgId: ID, name: v.string() });

const ALERT = v.object({
  id: ID,
  orgId: ID,
  deviceId: v.nullable(ID),
  deviceName: TEXT,
  title: v.string(),
  message: TEXT,
  severity: v.picklist(ALERT_SEVERITIES),
  status: v.picklist(ALERT_STATUSES),
  createdAt: INSTANT,
});

const SCRIPT = v.object({
  id: ID,
  orgId: v.nullable(ID),
  partnerId: v.nullable(ID),
  name: v.string(),
  description: TEXT,
});

const PATCH = v.object({ title: v.string(), pending: COUNT, installed: COUNT, failed: COUNT });

const countOfEach = (words: readonly string[]) =>
  v.object(Object.fromEntries(words.map((word) => [word, COUNT])));

const SUMMARY = v.object({
  devices: v.object({
    total: COUNT,
    byStatus: countOfEach(DEVICE_STATUSES),
    byOsType: countOfEach(OS_TYPES),
    byRole: countOfEach(DEVICE_ROLES),
  }),
  notSeen: v.object({ days7: COUNT, days30: COUNT }),
  alerts: v.object({ critical: COUNT, high: COUNT }),
  patchesPending: v.pipe(COUNT, v.description('Devices with a pending patch.')),
  rebootRequired: v.pipe(COUNT, v.description('Devices that wait for a reboot.')),
  deletionRequestsPending: v.pipe(v.optional(COUNT), v.description('For callers with `users:write`.')),
});

const none = (words: readonly string[]) => Object.fromEntries(words.map((word) => [word, 0]));

const RESULT = v.object({
  id: v.string(),
  type: v.picklist(['devices', 'scripts', 'alerts', 'settings']),
  title: v.string(),
  description: v.optional(v.string()),
  href: v.pipe(v.optional(v.string()), v.description('Of settings pages.')),
  match: v.pipe(
    v.optional(v.object({ field: v.string(), value: v.string() })),
    v.description('Where the text is, if not in the title.'),
  ),
  approximate: v.pipe(
    v.optional(v.literal(true)),
    v.description('The title resembles the text, which nothing contains.'),
  ),
});

const pageOf = (item: v.GenericSchema) => v.object({ data: v.array(item), nextCursor: CURSOR });

export const FLEET_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api/v1/search': {
    id: 'search',
    tag: 'search',
    summary: 'Search devices, scripts, alerts and settings pages',
    asker: 'caller',
    query: describeQuery(SEARCH_QUERY, {
      q: { description: '1 to 255 characters.', example: 'bay' },
      limit: { description: 'How many results there are at most.', example: 10 },
      match: { description: 'Whether results say where the text is, if not in the title.', example: true },
      approximate: {
        description: 'Whether similar titles are looked for where nothing contains the text.',
        example: true,
      },
    }),
    answers: {
      200: json('Category by category, the best first.', v.object({ results: v.array(RESULT) }), {
        results: [
          {
            id: EXAMPLE_ID.device,
            type: 'devices',
            title: 'Loading bay',
            description: 'BAY-07',
            match: { field: 'hostname', value: 'BAY-07' },
          },
        ],
      }),
    },
    problems: ['search_timeout'],
  },
  'GET /api/v1/organizations': {
    id: 'listOrganizations',
    tag: 'fleet',
    summary: 'List the organizations in reach',
    asker: 'caller',
    answers: {
      200: json('By name.', v.object({ data: v.array(ORGANIZATION) }), {
        data: [
          {
            id: EXAMPLE_ID.organization,
            name: 'Kestrel Lane',
            partnerId: EXAMPLE_ID.partner,
            partnerName: 'Northgate IT',
            deviceCount: 212,
          },
        ],
      }),
    },
    problems: ['filter_timeout'],
  },
  'GET /api/v1/sites': {
    id: 'listSites',
    tag: 'fleet',
    summary: 'List sites',
    asker: 'caller',
    query: describeQuery(ORGANIZATION_QUERY, { orgId: ORG_ID }),
    answers: {
      200: json('By name.', v.object({ data: v.array(SITE) }), {
        data: [{ id: EXAMPLE_ID.site, orgId: EXAMPLE_ID.organization, name: 'Warehouse' }],
      }),
    },
    problems: ['not_found'],
  },
  'GET /api/v1/alerts': {
    id: 'listAlerts',
    tag: 'fleet',
    summary: 'List alerts, newest first',
    asker: 'caller',
    query: describeQuery(ALERT_LIST_QUERY, {
      status: { description: 'Only alerts in this status.', example: 'active' },
      severity: { description: 'Only alerts of this severity.', example: 'critical' },
      orgId: ORG_ID,
      deviceId: { description: 'Only alerts about this device.' },
      cursor: AFTER,
      limit: LIMIT,
    }),
    answers: {
      200: json('A page of alerts.', pageOf(ALERT), {
        data: [
          {
            id: EXAMPLE_ID.other,
            orgId: EXAMPLE_ID.organization,
            deviceId: EXAMPLE_ID.device,
            deviceName: 'Loading bay',
            title: 'Disk almost full',
            message: 'C: is 93.5 % full',
            severity: 'critical',
            status: 'active',
            createdAt: EXAMPLE_INSTANT,
          },
        ],
        nextCursor: null,
      }),
    },
    problems: ['not_found'],
  },
  'GET /api/v1/scripts': {
    id: 'listScripts',
    tag: 'fleet',
    summary: 'List scripts by name',
    asker: 'caller',
    query: describeQuery(SCRIPT_LIST_QUERY, {
      search: { description: 'Only scripts whose name or description contains it, in any case.' },
      orgId: ORG_ID,
      cursor: AFTER,
      limit: LIMIT,
    }),
    answers: {
      200: json('A page of scripts; each has an organization or a partner.', pageOf(SCRIPT), {
        data: [
          {
            id: EXAMPLE_ID.other,
            orgId: EXAMPLE_ID.organization,
            partnerId: null,
            name: 'Clear temporary files',
            description: null,
          },
        ],
        nextCursor: null,
      }),
    },
    problems: ['not_found'],
  },
  'GET /api/v1/patches': {
    id: 'listPatches',
    tag: 'fleet',
    summary: 'List patches by title, with numbers of devices',
    asker: 'caller',
    query: describeQuery(PATCH_LIST_QUERY, {
      orgId: ORG_ID,
      status: { description: 'Only patches that a device has in this status.', example: 'pending' },
      cursor: AFTER,
      limit: LIMIT,
    }),
    answers: {
      200: json('A page of patches.', pageOf(PATCH), {
        data: [{ title: '2026-02 Cumulative Update', pending: 12, installed: 890, failed: 3 }],
        nextCursor: null,
      }),
    },
    problems: ['filter_timeout', 'not_found'],
  },
  'GET /api/v1/summary': {
    id: 'summarizeFleet',
    tag: 'fleet',
    summary: 'The fleet in a few numbers',
    asker: 'caller',
    query: describeQuery(ORGANIZATION_QUERY, { orgId: ORG_ID }),
    answers: {
      200: json('Numbers of devices, unless they are of something else by their name.', SUMMARY, {
        devices: {
          total: 212,
          byStatus: { ...none(DEVICE_STATUSES), online: 190, offline: 22 },
          byOsType: { windows: 150, macos: 20, linux: 30 },
          byRole: { ...none(DEVICE_ROLES), workstation: 180, server: 32 },
        },
        notSeen: { days7: 9, days30: 4 },
        alerts: { critical: 2, high: 7 },
        patchesPending: 41,
        rebootRequired: 6,
      }),
    },
    problems: ['filter_timeout', 'not_found'],
  },
};
