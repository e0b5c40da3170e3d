import * as v from 'valibot';
import {
  count,
  EXAMPLE_ID,
  INSTANT,
  id,
  optionalText,
  pageOf,
  type Shape,
  shown,
  text,
  wholeNumber,
} from '#adapters/http/common-shapes.ts';
import { CONDITION_GROUP, PREVIEW_MEMBERS } from '#adapters/http/filters/filter-shapes.ts';
import { DEVICE_OFFSET, MAX_LISTED_FIELDS } from '#application/devices/page-input.ts';
import { PAGE_LIMIT } from '#application/page.ts';
import { ARCHITECTURES, DEVICE_ROLES, WATCHDOG_STATUSES } from '#domain/device/device.ts';
import { DEVICE_SORTS } from '#domain/device/device-sort.ts';
import { HAND_SET_STATUSES } from '#domain/device/revise-device.ts';
import { EXPORT_FORMATS } from '#domain/export/print-export.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  CUSTOM_FIELD_TYPES,
  PATCH_STATUSES,
} from '#domain/fleet/fleet-record.ts';
import { DUPLICATE_SIGNS } from '#domain/inventory/find-duplicates.ts';

export const SORT_TEXT = '`-` before the key reverses the order.';
export const COUNT_TEXT = 'Whether to include `totalCount`; by default only on the first page.';
export const FIELDS_TEXT = `At most ${MAX_LISTED_FIELDS} field keys, or \`software[<title>].version\`, whose values are added to each device.`;
export const OFFSET_TEXT = 'The number of devices to skip; not together with a cursor.';

function number(example: number | null, description?: string) {
  return shown(v.nullable(v.number()), example, description);
}

const ROW_MEMBERS = {
  ...PREVIEW_MEMBERS,
  orgId: id('organization'),
  siteId: v.nullable(id('site')),
  osVersion: optionalText('Windows 11 Pro 24H2'),
  deviceRole: shown(v.picklist(DEVICE_ROLES), 'workstation'),
  lastUser: optionalText('KESTREL\\rmoorcroft'),
  tags: shown(v.array(v.string()), ['vip', 'office']),
  enrolledAt: v.nullable(INSTANT),
  metrics: v.object({ cpuPercent: number(12.5), ramPercent: number(61), diskPercent: number(93.5) }),
  patchesPending: shown(v.boolean(), true),
  alertsCritical: shown(v.boolean(), false, 'Whether the device has an active critical alert.'),
  rebootRequired: shown(v.boolean(), true),
};

export const DEVICE_ROW = v.object(ROW_MEMBERS);
export type DeviceRow = Shape<typeof DEVICE_ROW>;

const HARDWARE = v.object({
  manufacturer: optionalText('Dell Inc.'),
  model: optionalText('OptiPlex 7010'),
  serialNumber: optionalText('5XK3V04'),
  cpuModel: optionalText('Intel Core i5-13500'),
  gpuModel: optionalText(null),
  cpuCores: number(14),
  ramTotalMb: number(16_384, 'Mebibytes.'),
  diskTotalGb: number(476, 'Gibibytes.'),
});

export const DEVICE = v.object({
  ...ROW_MEMBERS,
  organization: v.object({ id: id('organization'), name: text('Kestrel Lane') }),
  site: v.nullable(v.object({ id: id('site'), name: text('Warehouse') })),
  agentVersion: optionalText('3.4.1'),
  osBuild: optionalText('26100.2314'),
  architecture: shown(v.nullable(v.picklist(ARCHITECTURES)), 'x64'),
  lastSeenIp: optionalText('203.0.113.7'),
  isHeadless: v.nullable(v.boolean()),
  uptimeSeconds: number(86_400),
  watchdogStatus: shown(v.nullable(v.picklist(WATCHDOG_STATUSES)), 'connected'),
  quarantinedAt: shown(v.nullable(INSTANT), null),
  hardware: v.nullable(HARDWARE),
  network: v.array(
    v.object({
      ipAddress: optionalText('10.0.0.7'),
      publicIp: optionalText('203.0.113.7'),
      macAddress: optionalText('00:1a:2b:3c:4d:5e'),
    }),
  ),
  volumes: v.array(
    v.object({
      name: text('C:', 'Drive letter, mount point or label.'),
      filesystem: optionalText('NTFS'),
      totalGb: number(475.8, 'Gibibytes.'),
      freeGb: number(30.9, 'Gibibytes.'),
    }),
  ),
  software: v.array(v.object({ name: text('Mozilla Firefox'), version: optionalText('147.0') })),
  patches: v.pipe(
    v.nullable(
      v.array(v.object({ title: text('2026-02 Cumulative Update'), status: v.picklist(PATCH_STATUSES) })),
    ),
    v.description('Null if the device never reported patches.'),
  ),
  alerts: v.array(
    v.object({
      id: id(),
      title: text('Disk almost full'),
      message: optionalText('C: is 93.5 % full'),
      severity: shown(v.picklist(ALERT_SEVERITIES), 'high'),
      status: shown(v.picklist(ALERT_STATUSES), 'active'),
      createdAt: INSTANT,
    }),
  ),
  totals: v.pipe(
    v.object({ network: count(), volumes: count(), software: count(), patches: count(), alerts: count() }),
    v.description('The full lengths of the lists. The answer has at most 1,000 entries of each.'),
  ),
  custom: v.array(
    v.object({
      key: text('cost_centre'),
      name: text('Cost centre'),
      type: shown(v.picklist(CUSTOM_FIELD_TYPES), 'text'),
      value: shown(
        v.nullable(v.union([v.string(), v.number(), v.boolean()])),
        '4711',
        'The stored value; null if there is none, or it does not fit the definition.',
      ),
    }),
  ),
});
export type Device = Shape<typeof DEVICE>;

const LISTED_DEVICE = v.object({
  ...ROW_MEMBERS,
  fields: v.exactOptional(
    shown(
      v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]))),
      { 'hardware.model': 'OptiPlex 7010', 'network.ipAddress': ['10.0.0.7'] },
      'The values of the requested fields. A field with several rows has a list.',
    ),
  ),
});

export const DEVICE_LIST = v.object({
  ...pageOf(LISTED_DEVICE).entries,
  totalCount: shown(v.nullable(count()), 1, 'Null if it was not counted; see `count`.'),
  evaluatedAt: INSTANT,
});
export type DevicePage = Shape<typeof DEVICE_LIST>;

const QUERY_MEMBERS = {
  conditions: v.optional(CONDITION_GROUP),
  q: v.optional(text('os:windows disk:>90', 'A filter text.')),
  filterId: v.optional(id('filter', 'A saved filter.')),
  orgId: v.optional(id('organization', 'Only devices of this organization.')),
};

export const DEVICE_QUERY = v.pipe(
  v.object({
    ...QUERY_MEMBERS,
    sort: v.pipe(v.optional(v.picklist(DEVICE_SORTS)), v.description(SORT_TEXT)),
    limit: v.optional(wholeNumber(PAGE_LIMIT, 50), PAGE_LIMIT.fallback),
    cursor: v.optional(v.string()),
    offset: v.pipe(v.optional(wholeNumber(DEVICE_OFFSET, 0)), v.description(OFFSET_TEXT)),
    count: v.pipe(v.optional(v.boolean()), v.description(COUNT_TEXT)),
    fields: v.pipe(v.optional(v.array(v.string())), v.description(FIELDS_TEXT)),
  }),
  v.description('At most one of `conditions`, `q` and `filterId`. Without them, all devices in reach.'),
);

export const EXPORT_BODY = v.object({
  ...QUERY_MEMBERS,
  format: v.picklist(EXPORT_FORMATS),
  fields: v.pipe(
    v.optional(v.array(v.string())),
    v.description('Field keys, `id`, `organization` and `site`, in the order of the columns.'),
  ),
});

export const DEVICE_CHANGE = v.object({
  displayName: v.nullish(text('Loading bay')),
  tags: v.optional(shown(v.array(v.string()), ['vip'])),
  custom: v.optional(
    shown(
      v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
      { cost_centre: '4711' },
      'Values by field key; null removes a value.',
    ),
  ),
  status: v.optional(shown(v.picklist(HAND_SET_STATUSES), 'maintenance')),
});
export type DeviceChanges = Shape<typeof DEVICE_CHANGE>;

const { custom, status } = DEVICE_CHANGE.entries;

export const BULK_CHANGE = v.pipe(
  v.object({
    ...QUERY_MEMBERS,
    ids: v.optional(shown(v.array(id('device')), [EXAMPLE_ID.device], 'The ids of at most 1,000 devices.')),
    expectedCount: count(
      1,
      'How many devices you expect to match. If another number match, nothing changes.',
    ),
    change: v.object({
      addTags: v.optional(shown(v.array(v.string()), ['vip'])),
      removeTags: v.optional(shown(v.array(v.string()), ['office'])),
      custom,
      status,
    }),
  }),
  v.description('Exactly one of `conditions`, `q`, `filterId` and `ids`; at most 10,000 devices.'),
);
export type BulkChange = Shape<typeof BULK_CHANGE>;

export const BULK_OUTCOME = v.object({
  changed: count(1),
  unchanged: count(0, 'Devices that needed no change.'),
  operationId: id('other', 'Can be used for ten minutes to undo the change.'),
});
export type BulkOutcome = Shape<typeof BULK_OUTCOME>;

export const UNDO_OUTCOME = v.object({
  restored: count(1),
  skipped: count(0, 'Devices that were changed again, or are gone.'),
});
export type UndoOutcome = Shape<typeof UNDO_OUTCOME>;

export const DEVICE_MERGE = v.object({
  deviceId: id('other', 'The device that becomes part of this one.'),
  force: v.optional(shown(v.boolean(), false, 'Merges even if serial numbers or UUIDs differ.')),
});

export const DUPLICATES = pageOf(
  v.object({
    devices: shown(v.array(DEVICE_ROW), []),
    because: shown(v.array(v.picklist(DUPLICATE_SIGNS)), ['serial', 'hostname']),
  }),
);
export type Duplicates = Shape<typeof DUPLICATES>;

export const DEVICE_FILTERS = v.object({
  data: v.array(
    v.object({
      id: id('filter'),
      name: text('Almost out of disk'),
      since: v.pipe(
        v.nullable(INSTANT),
        v.description(
          'When the device entered, or the filter was first evaluated; null without an active subscription.',
        ),
      ),
    }),
  ),
  evaluatedAt: INSTANT,
});
export type DeviceFilters = Shape<typeof DEVICE_FILTERS>;
