/**
 * Written by hand, because a fleet is mostly devices, and a schema took four times as long (Contract: §3 and §9, "The
 * load file").
 */
import {
  ARCHITECTURES,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type DeviceHardware,
  type DeviceMetrics,
  NO_HARDWARE,
  NO_METRICS,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import { type DeviceRecord, type MachineRecord, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import { MACHINE_KEY_KINDS } from '#domain/inventory/machine-keys.ts';
import { type FaultSink, MemberReader } from './member-reader.ts';
import {
  fieldKeyFault,
  isObject,
  keyFault,
  keyNameFault,
  nameFault,
  numberFault,
  objectFault,
  textFault,
} from './value-faults.ts';

/** The record must not be used if the sink received a fault. */
export function readDevice(value: unknown, sink: FaultSink): DeviceRecord | null {
  if (!isObject(value)) {
    sink('', objectFault(value) ?? '');
    return null;
  }
  const device = new MemberReader(value, '', DEVICE_MEMBERS, sink);
  return {
    kind: device.requiredWord('kind', ['device']),
    id: device.requiredId('id'),
    orgId: device.requiredId('orgId'),
    siteId: device.id('siteId'),
    hostname: device.requiredName('hostname', keyNameFault),
    displayName: device.text('displayName'),
    status: device.requiredWord('status', DEVICE_STATUSES),
    osType: device.word('osType', OS_TYPES),
    osVersion: device.text('osVersion'),
    osBuild: device.text('osBuild'),
    architecture: device.word('architecture', ARCHITECTURES),
    agentVersion: device.text('agentVersion'),
    enrolledAt: device.instant('enrolledAt'),
    lastSeenAt: device.instant('lastSeenAt'),
    lastSeenIp: device.text('lastSeenIp'),
    tags: device.texts('tags'),
    deviceRole: device.word('deviceRole', DEVICE_ROLES) ?? 'unknown',
    lastUser: device.text('lastUser'),
    isHeadless: device.flag('isHeadless'),
    uptimeSeconds: device.number('uptimeSeconds'),
    watchdogStatus: device.word('watchdogStatus', WATCHDOG_STATUSES),
    quarantinedAt: device.instant('quarantinedAt'),
    rebootRequired: device.flag('rebootRequired') ?? false,
    hardware: readHardware(device.object('hardware', HARDWARE_MEMBERS)),
    metrics: readMetrics(device.object('metrics', METRICS_MEMBERS)),
    network: device.objects('network', INTERFACE_MEMBERS, (item) => ({
      ipAddress: item.text('ipAddress', keyFault),
      publicIp: item.text('publicIp', keyFault),
      macAddress: item.text('macAddress', keyFault),
    })),
    volumes: device.objects('volumes', VOLUME_MEMBERS, (item) => ({
      name: item.requiredName('name', nameFault),
      filesystem: item.text('filesystem'),
      totalGb: item.number('totalGb'),
      freeGb: item.number('freeGb'),
    })),
    software: device.objects('software', SOFTWARE_MEMBERS, (item) => ({
      name: item.requiredName('name', nameFault),
      version: item.text('version'),
    })),
    patches: readPatches(value, device),
    custom: device.map('custom', fieldKeyFault, customValueFault),
    ...readMachine(value, device),
  };
}

/** Null if the device has not reported patches. An empty list is a report. */
function readPatches(
  given: Readonly<Record<string, unknown>>,
  device: MemberReader,
): DeviceRecord['patches'] {
  const patches = device.objects('patches', PATCH_MEMBERS, (item) => ({
    id: item.id<'patch'>('id'),
    title: item.requiredName('title', keyNameFault),
    status: item.requiredWord('status', PATCH_STATUSES),
  }));
  return (given.patches ?? null) === null ? null : patches;
}

/** Absent members stay absent, because their values are unknown. */
function readMachine(given: Readonly<Record<string, unknown>>, device: MemberReader): MachineRecord {
  return {
    ...('inventoryIds' in given && { inventoryIds: device.texts('inventoryIds') }),
    ...('systemUuid' in given && { systemUuid: device.text('systemUuid', keyFault) }),
    ...('knownKeys' in given && {
      knownKeys: device.objects('knownKeys', KNOWN_KEY_MEMBERS, (item) => ({
        kind: item.requiredWord('kind', MACHINE_KEY_KINDS),
        key: item.requiredName('key', keyNameFault),
      })),
    }),
    ...('reportsSince' in given && { reportsSince: device.instant('reportsSince') }),
    ...('makesContact' in given && { makesContact: device.flag('makesContact') }),
    ...('inventoriedAt' in given && { inventoriedAt: device.instant('inventoriedAt') }),
  };
}

function readHardware(hardware: MemberReader | null): DeviceHardware {
  if (hardware === null) return NO_HARDWARE;
  return {
    manufacturer: hardware.text('manufacturer'),
    model: hardware.text('model'),
    serialNumber: hardware.text('serialNumber', keyFault),
    cpuModel: hardware.text('cpuModel'),
    gpuModel: hardware.text('gpuModel'),
    cpuCores: hardware.number('cpuCores'),
    ramTotalMb: hardware.number('ramTotalMb'),
    diskTotalGb: hardware.number('diskTotalGb'),
  };
}

function readMetrics(metrics: MemberReader | null): DeviceMetrics {
  if (metrics === null) return NO_METRICS;
  return {
    cpuPercent: metrics.number('cpuPercent'),
    ramPercent: metrics.number('ramPercent'),
    diskPercent: metrics.number('diskPercent'),
  };
}

/** Far deeper than real data. PostgreSQL's jsonb fails at some thousand levels. */
const MAX_DEPTH = 100;

/** Iterative, so deep values cannot overflow the stack. */
function customValueFault(value: unknown): string | null {
  const stack: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if (top.depth > MAX_DEPTH) return `must not be nested more than ${MAX_DEPTH} levels deep`;
    const fault = scalarFault(top.value);
    if (fault !== null) return fault;
    const depth = top.depth + 1;
    if (Array.isArray(top.value)) {
      for (const element of top.value) stack.push({ value: element, depth });
    } else if (isObject(top.value)) {
      for (const [name, member] of Object.entries(top.value)) {
        const faultOfName = textFault(name);
        if (faultOfName !== null) return faultOfName;
        stack.push({ value: member, depth });
      }
    }
  }
  return null;
}

function scalarFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value);
  return typeof value === 'number' ? numberFault(value) : null;
}

const DEVICE_MEMBERS: ReadonlySet<keyof DeviceRecord> = new Set([
  'kind',
  'id',
  'orgId',
  'siteId',
  'hostname',
  'displayName',
  'status',
  'osType',
  'osVersion',
  'osBuild',
  'architecture',
  'agentVersion',
  'enrolledAt',
  'lastSeenAt',
  'lastSeenIp',
  'tags',
  'deviceRole',
  'lastUser',
  'isHeadless',
  'uptimeSeconds',
  'watchdogStatus',
  'quarantinedAt',
  'rebootRequired',
  'hardware',
  'network',
  'volumes',
  'metrics',
  'software',
  'patches',
  'custom',
  'inventoryIds',
  'systemUuid',
  'knownKeys',
  'reportsSince',
  'makesContact',
  'inventoriedAt',
]);
const HARDWARE_MEMBERS: ReadonlySet<string> = new Set(Object.keys(NO_HARDWARE));
const METRICS_MEMBERS: ReadonlySet<string> = new Set(Object.keys(NO_METRICS));
const INTERFACE_MEMBERS: ReadonlySet<string> = new Set(['ipAddress', 'publicIp', 'macAddress']);
const VOLUME_MEMBERS: ReadonlySet<string> = new Set(['name', 'filesystem', 'totalGb', 'freeGb']);
const SOFTWARE_MEMBERS: ReadonlySet<string> = new Set(['name', 'version']);
const KNOWN_KEY_MEMBERS: ReadonlySet<string> = new Set(['kind', 'key']);
const PATCH_MEMBERS: ReadonlySet<string> = new Set(['id', 'title', 'status']);
