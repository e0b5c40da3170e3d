/** Devices as bodies and answers have them (Contract: §10). */
import * as v from 'valibot';
import {
  ARCHITECTURES,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  CUSTOM_FIELD_TYPES,
  PATCH_STATUSES,
} from '#domain/fleet/fleet-record.ts';
import { COUNT, EXAMPLE_ID, EXAMPLE_INSTANT, ID, INSTANT } from './common-shapes.ts';

const TEXT = v.nullable(v.string());
const NUMBER = v.nullable(v.number());

const ROW_MEMBERS = {
  id: ID,
  orgId: ID,
  siteId: v.nullable(ID),
  hostname: v.string(),
  displayName: TEXT,
  status: v.picklist(DEVICE_STATUSES),
  osType: v.nullable(v.picklist(OS_TYPES)),
  osVersion: TEXT,
  deviceRole: v.picklist(DEVICE_ROLES),
  lastUser: TEXT,
  tags: v.array(v.string()),
  lastSeenAt: v.nullable(INSTANT),
  enrolledAt: v.nullable(INSTANT),
  metrics: v.object({ cpuPercent: NUMBER, ramPercent: NUMBER, diskPercent: NUMBER }),
  patchesPending: v.boolean(),
  alertsCritical: v.pipe(v.boolean(), v.description('Whether a critical alert on it is active.')),
  rebootRequired: v.boolean(),
};

/** A device in a list. */
export const DEVICE_ROW = v.object(ROW_MEMBERS);

/** A device in a preview. */
export const PREVIEW_DEVICE = v.object({
  id: ID,
  hostname: v.string(),
  displayName: TEXT,
  osType: v.nullable(v.picklist(OS_TYPES)),
  status: v.picklist(DEVICE_STATUSES),
  lastSeenAt: v.nullable(INSTANT),
});

/** A device with all that belongs to it. */
export const DEVICE = v.object({
  ...ROW_MEMBERS,
  organization: v.object({ id: ID, name: v.string() }),
  site: v.nullable(v.object({ id: ID, name: v.string() })),
  agentVersion: TEXT,
  osBuild: TEXT,
  architecture: v.nullable(v.picklist(ARCHITECTURES)),
  lastSeenIp: TEXT,
  isHeadless: v.nullable(v.boolean()),
  uptimeSeconds: NUMBER,
  watchdogStatus: v.nullable(v.picklist(WATCHDOG_STATUSES)),
  quarantinedAt: v.nullable(INSTANT),
  hardware: v.nullable(
    v.object({
      manufacturer: TEXT,
      model: TEXT,
      serialNumber: TEXT,
      cpuModel: TEXT,
      gpuModel: TEXT,
      cpuCores: NUMBER,
      ramTotalMb: v.pipe(NUMBER, v.description('Mebibytes.')),
      diskTotalGb: v.pipe(NUMBER, v.description('Gibibytes.')),
    }),
  ),
  network: v.array(v.object({ ipAddress: TEXT, publicIp: TEXT, macAddress: TEXT })),
  software: v.array(v.object({ name: v.string(), version: TEXT })),
  patches: v.array(v.object({ title: v.string(), status: v.picklist(PATCH_STATUSES) })),
  alerts: v.array(
    v.object({
      id: ID,
      title: v.string(),
      message: TEXT,
      severity: v.picklist(ALERT_SEVERITIES),
      status: v.picklist(ALERT_STATUSES),
      createdAt: INSTANT,
    }),
  ),
  custom: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      type: v.picklist(CUSTOM_FIELD_TYPES),
      value: v.pipe(
        v.nullable(v.union([v.string(), v.number(), v.boolean()])),
        v.description('As it was written; null if there is none, or it does not fit the definition.'),
      ),
    }),
  ),
});

/** What every list of devices answers. */
export const DEVICE_LIST = v.object({
  data: v.array(DEVICE_ROW),
  nextCursor: v.pipe(v.nullable(v.string()), v.description('Null on the last page.')),
  totalCount: v.pipe(v.nullable(COUNT), v.description('Null where it was not asked for; see `count`.')),
  evaluatedAt: INSTANT,
});

export const EXAMPLE_ROW = {
  id: EXAMPLE_ID.device,
  orgId: EXAMPLE_ID.organization,
  siteId: EXAMPLE_ID.site,
  hostname: 'BAY-07',
  displayName: 'Loading bay',
  status: 'online',
  osType: 'windows',
  osVersion: 'Windows 11 Pro 24H2',
  deviceRole: 'workstation',
  lastUser: 'KESTREL\\rmoorcroft',
  tags: ['vip', 'office'],
  lastSeenAt: EXAMPLE_INSTANT,
  enrolledAt: '2025-06-02T10:15:00.000Z',
  metrics: { cpuPercent: 12.5, ramPercent: 61, diskPercent: 93.5 },
  patchesPending: true,
  alertsCritical: false,
  rebootRequired: true,
};

export const EXAMPLE_DEVICE = {
  ...EXAMPLE_ROW,
  organization: { id: EXAMPLE_ID.organization, name: 'Kestrel Lane' },
  site: { id: EXAMPLE_ID.site, name: 'Warehouse' },
  agentVersion: '3.4.1',
  osBuild: '26100.2314',
  architecture: 'x64',
  lastSeenIp: '203.0.113.7',
  isHeadless: false,
  uptimeSeconds: 86_400,
  watchdogStatus: 'connected',
  quarantinedAt: null,
  hardware: {
    manufacturer: 'Dell Inc.',
    model: 'OptiPlex 7010',
    serialNumber: '5XK3V04',
    cpuModel: 'Intel Core i5-13500',
    gpuModel: null,
    cpuCores: 14,
    ramTotalMb: 16_384,
    diskTotalGb: 476,
  },
  network: [{ ipAddress: '10.0.0.7', publicIp: '203.0.113.7', macAddress: '00:1a:2b:3c:4d:5e' }],
  software: [{ name: 'Mozilla Firefox', version: '147.0' }],
  patches: [{ title: '2026-02 Cumulative Update', status: 'pending' }],
  alerts: [],
  custom: [{ key: 'cost_centre', name: 'Cost centre', type: 'text', value: '4711' }],
};

export const EXAMPLE_LIST = {
  data: [EXAMPLE_ROW],
  nextCursor: null,
  totalCount: 1,
  evaluatedAt: EXAMPLE_INSTANT,
};
