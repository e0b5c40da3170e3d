/**
 * All core fields (Spec: Core filterable device fields; Contract: §3). A new key does not compile until the
 * evaluator and the PostgreSQL compiler handle it.
 */
import {
  ARCHITECTURES,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import type { Operator } from './operator.ts';
import type { FieldType } from './operator-matrix.ts';

/** `custom` holds the custom fields. */
export type FieldCategory =
  | 'device'
  | 'capability'
  | 'os'
  | 'hardware'
  | 'network'
  | 'metrics'
  | 'software'
  | 'patches'
  | 'computed'
  | 'custom';

export interface CoreField {
  readonly label: string;
  readonly category: FieldCategory;
  readonly type: FieldType;
  readonly operators?: readonly Operator[];
  readonly values?: readonly string[];
  readonly isUuid?: true;
  readonly description?: string;
}

const CAPABILITY: readonly Operator[] = ['equals', 'notEquals'];
const NAMES = [
  'contains',
  'notContains',
  'equals',
  'in',
  'hasAny',
  'hasAll',
] as const satisfies readonly Operator[];
const OWNERSHIP: readonly Operator[] = ['equals', 'in'];

/** Core fields by key. */
export const CORE_FIELDS = {
  hostname: { label: 'Hostname', category: 'device', type: 'string' },
  displayName: { label: 'Display Name', category: 'device', type: 'string' },
  status: { label: 'Status', category: 'device', type: 'enum', values: DEVICE_STATUSES },
  agentVersion: { label: 'Agent Version', category: 'device', type: 'string' },
  'agent.version': {
    label: 'Agent Version (compared)',
    category: 'device',
    type: 'version',
    description: 'Compared part by part: 9 is less than 10, and 1.0-rc1 less than 1.0.',
  },
  enrolledAt: { label: 'Enrolled At', category: 'device', type: 'datetime' },
  lastSeenAt: { label: 'Last Seen At', category: 'device', type: 'datetime' },
  tags: { label: 'Tags', category: 'device', type: 'array' },
  'tags.name': {
    label: 'Tag Name',
    category: 'device',
    type: 'string',
    description: 'True when any tag matches; the negative operators when none does.',
  },
  deviceRole: { label: 'Device Role', category: 'device', type: 'enum', values: DEVICE_ROLES },
  lastUser: { label: 'Last User', category: 'device', type: 'string' },
  isHeadless: { label: 'Headless', category: 'device', type: 'boolean' },
  uptimeSeconds: { label: 'Uptime (seconds)', category: 'device', type: 'number' },
  watchdogStatus: {
    label: 'Watchdog Status',
    category: 'device',
    type: 'enum',
    values: WATCHDOG_STATUSES,
  },
  quarantinedAt: { label: 'Quarantined At', category: 'device', type: 'datetime' },
  id: {
    label: 'Device',
    category: 'device',
    type: 'string',
    operators: OWNERSHIP,
    isUuid: true,
    description: 'The id of the device itself.',
  },
  orgId: {
    label: 'Organization',
    category: 'device',
    type: 'string',
    operators: OWNERSHIP,
    isUuid: true,
    description: 'The id of the organization that the device belongs to.',
  },
  siteId: {
    label: 'Site',
    category: 'device',
    type: 'string',
    operators: OWNERSHIP,
    isUuid: true,
    description: 'The id of the site that the device is at.',
  },
  filter: {
    label: 'Filter',
    category: 'device',
    type: 'string',
    operators: ['equals', 'notEquals', 'in', 'notIn'],
    isUuid: true,
    description:
      'The ids of saved filters: whether the device matches one. It covers the devices of its organization or partner only.',
  },
  'rollout.bucket': {
    label: 'Rollout Bucket',
    category: 'device',
    type: 'number',
    description:
      'From 0 to 99, fixed by the id of the device. Below 5 is a ring of 5 %, and part of every larger ring.',
  },
  lastSeenIp: { label: 'Last Seen IP', category: 'device', type: 'string' },
  'patches.pending': {
    label: 'Has Pending Patches',
    category: 'capability',
    type: 'boolean',
    operators: CAPABILITY,
    description:
      'The device has at least one pending patch. False where nothing is known: inventories, reported or imported, say nothing of patches.',
  },
  'patches.reported': {
    label: 'Patches Reported',
    category: 'capability',
    type: 'boolean',
    operators: CAPABILITY,
    description: 'The device has ever reported its patches, if only that there are none.',
  },
  'patches.pendingTitle': {
    label: 'Pending Patch',
    category: 'patches',
    type: 'string',
    operators: NAMES,
    description: 'Titles of pending patches, upper and lower case alike.',
  },
  'patches.failedTitle': {
    label: 'Failed Patch',
    category: 'patches',
    type: 'string',
    operators: NAMES,
    description: 'Titles of patches that failed, upper and lower case alike.',
  },
  'alerts.critical': {
    label: 'Has Critical Alerts',
    category: 'capability',
    type: 'boolean',
    operators: CAPABILITY,
    description: 'The device has an active critical alert.',
  },
  'system.rebootRequired': {
    label: 'Reboot Required',
    category: 'capability',
    type: 'boolean',
    operators: CAPABILITY,
    description:
      "The device's operating system reports a pending reboot. False where nothing is known: inventories do not say.",
  },
  osType: { label: 'OS Type', category: 'os', type: 'enum', values: OS_TYPES },
  osVersion: { label: 'OS Version', category: 'os', type: 'string' },
  'os.version': {
    label: 'OS Version (compared)',
    category: 'os',
    type: 'version',
    description: 'Compared part by part: 9 is less than 10, and 1.0-rc1 less than 1.0.',
  },
  osBuild: { label: 'OS Build', category: 'os', type: 'string' },
  architecture: { label: 'Architecture', category: 'os', type: 'enum', values: ARCHITECTURES },
  'hardware.manufacturer': { label: 'Manufacturer', category: 'hardware', type: 'string' },
  'hardware.model': { label: 'Model', category: 'hardware', type: 'string' },
  'hardware.serialNumber': { label: 'Serial Number', category: 'hardware', type: 'string' },
  'hardware.cpuModel': { label: 'CPU Model', category: 'hardware', type: 'string' },
  'hardware.cpuCores': { label: 'CPU Cores', category: 'hardware', type: 'number' },
  'hardware.ramTotalMb': { label: 'RAM (MB)', category: 'hardware', type: 'number' },
  'hardware.diskTotalGb': { label: 'Disk (GB)', category: 'hardware', type: 'number' },
  'hardware.gpuModel': { label: 'GPU Model', category: 'hardware', type: 'string' },
  'network.ipAddress': {
    label: 'IP Address',
    category: 'network',
    type: 'string',
    description: 'True when any interface matches; the negative operators when none does.',
  },
  'network.publicIp': {
    label: 'Public IP',
    category: 'network',
    type: 'string',
    description: 'True when any interface matches; the negative operators when none does.',
  },
  'network.macAddress': {
    label: 'MAC Address',
    category: 'network',
    type: 'string',
    description: 'True when any interface matches; the negative operators when none does.',
  },
  'metrics.reported': {
    label: 'Metrics Reported',
    category: 'capability',
    type: 'boolean',
    operators: CAPABILITY,
    description: 'The device has reported at least one metric.',
  },
  'metrics.cpuPercent': { label: 'CPU (%)', category: 'metrics', type: 'number' },
  'metrics.ramPercent': { label: 'RAM (%)', category: 'metrics', type: 'number' },
  'metrics.diskPercent': { label: 'Disk (%)', category: 'metrics', type: 'number' },
  'software.installed': {
    label: 'Software Installed',
    category: 'software',
    type: 'string',
    operators: NAMES,
    description: 'Names of installed software, upper and lower case alike.',
  },
  'software.notInstalled': {
    label: 'Software Not Installed',
    category: 'software',
    type: 'string',
    operators: ['contains', 'equals', 'in', 'hasAny'],
    description: 'The complement of Software Installed; an empty list matches nothing.',
  },
  daysSinceLastSeen: {
    label: 'Days Since Last Seen',
    category: 'computed',
    type: 'number',
    description: 'Days elapsed at evaluation; equals a whole number compares whole days, rounded down.',
  },
  daysSinceEnrolled: {
    label: 'Days Since Enrolled',
    category: 'computed',
    type: 'number',
    description: 'Days elapsed at evaluation; equals a whole number compares whole days, rounded down.',
  },
} as const satisfies Record<string, CoreField>;

export type CoreFieldKey = keyof typeof CORE_FIELDS;

/** Fields with one list per device, which conditions test as a whole. */
export type ListFieldKey = KeysOf<{ readonly type: 'array' }>;

/** Fields with several rows per device. A condition holds if any row matches. */
export type RowsFieldKey = 'tags.name' | KeysOf<{ readonly category: 'network' }>;

/** `software.installed` and `software.notInstalled`. */
export type SoftwareFieldKey = KeysOf<{ readonly category: 'software' }>;

/** Fields that test titles of pending or failed patches. */
export type PatchFieldKey = KeysOf<{ readonly category: 'patches' }>;

/** Fields with at most one value per device. */
export type ValueFieldKey = Exclude<
  CoreFieldKey,
  'filter' | ListFieldKey | RowsFieldKey | SoftwareFieldKey | PatchFieldKey
>;

type KeysOf<C> = { [K in CoreFieldKey]: (typeof CORE_FIELDS)[K] extends C ? K : never }[CoreFieldKey];

/** Whether the field holds one list per device. */
export function isListFieldKey(key: CoreFieldKey): key is ListFieldKey {
  return CORE_FIELDS[key].type === 'array';
}

/** Whether the field has several rows per device. */
export function isRowsFieldKey(key: CoreFieldKey): key is RowsFieldKey {
  return key === 'tags.name' || CORE_FIELDS[key].category === 'network';
}

/** Whether the field tests names of installed software. */
export function isSoftwareFieldKey(key: CoreFieldKey): key is SoftwareFieldKey {
  return CORE_FIELDS[key].category === 'software';
}

/** Whether the field tests titles of patches. */
export function isPatchFieldKey(key: CoreFieldKey): key is PatchFieldKey {
  return CORE_FIELDS[key].category === 'patches';
}
