/**
 * A device for filters, previews and search. Instants are epoch milliseconds. `null` means never reported.
 * For null, positive operators are false and negative ones true (Contract: §4).
 */
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId, SiteId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';

/** Contract: §3. */
export const DEVICE_STATUSES = [
  'online',
  'offline',
  'maintenance',
  'decommissioned',
  'quarantined',
  'updating',
  'pending',
] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** Spec: Core filterable device fields. */
export const DEVICE_ROLES = [
  'workstation',
  'server',
  'printer',
  'router',
  'switch',
  'firewall',
  'access_point',
  'phone',
  'iot',
  'camera',
  'nas',
  'unknown',
] as const;
export type DeviceRole = (typeof DEVICE_ROLES)[number];

/** Spec: Core filterable device fields. */
export const WATCHDOG_STATUSES = ['connected', 'failover', 'offline'] as const;
export type WatchdogStatus = (typeof WATCHDOG_STATUSES)[number];

/** Contract: §3. Null for other systems, such as Android or firmware. */
export const OS_TYPES = ['windows', 'macos', 'linux'] as const;
export type OsType = (typeof OS_TYPES)[number];

/** Contract: §3. */
export const ARCHITECTURES = ['x64', 'x86', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Null means not reported. */
export interface DeviceHardware {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serialNumber: string | null;
  readonly cpuModel: string | null;
  readonly gpuModel: string | null;
  readonly cpuCores: number | null;
  /** Mebibytes. */
  readonly ramTotalMb: number | null;
  /** Gibibytes. */
  readonly diskTotalGb: number | null;
}

/** In percent (0-100). */
export interface DeviceMetrics {
  readonly cpuPercent: number | null;
  readonly ramPercent: number | null;
  readonly diskPercent: number | null;
}

/** Addresses as text; null where there are none. */
export interface NetworkInterface {
  readonly ipAddress: string | null;
  readonly publicIp: string | null;
  readonly macAddress: string | null;
}

/** A device may have several versions of a title. Conditions ignore the case of the name. */
export interface InstalledSoftware {
  readonly name: string;
  readonly version: string | null;
}

/** Sizes in gibibytes, reported to a tenth; null if unknown. */
export interface Volume {
  /** Drive letter, mount point or label. */
  readonly name: string;
  readonly filesystem: string | null;
  readonly totalGb: number | null;
  readonly freeGb: number | null;
}

/** A patch of one device. It has no id, because devices do not share patches. */
export interface DevicePatch {
  readonly title: string;
  readonly status: PatchStatus;
}

/** Any JSON, stored unchanged. Lists and objects fit no type of custom field (Contract: §4). */
export type CustomValue =
  | string
  | number
  | boolean
  | null
  | readonly CustomValue[]
  | { readonly [member: string]: CustomValue };

/** All that filters can read. */
export interface Device {
  readonly id: DeviceId;
  readonly orgId: OrgId;
  readonly siteId: SiteId | null;
  readonly hostname: string;
  readonly displayName: string | null;
  readonly status: DeviceStatus;
  readonly osType: OsType | null;
  readonly osVersion: string | null;
  readonly osBuild: string | null;
  readonly architecture: Architecture | null;
  readonly agentVersion: string | null;
  readonly enrolledAt: EpochMs | null;
  readonly lastSeenAt: EpochMs | null;
  readonly lastSeenIp: string | null;
  readonly tags: readonly string[];
  readonly deviceRole: DeviceRole;
  readonly lastUser: string | null;
  readonly isHeadless: boolean | null;
  readonly uptimeSeconds: number | null;
  readonly watchdogStatus: WatchdogStatus | null;
  readonly quarantinedAt: EpochMs | null;
  /** Also false if the operating system does not report it. */
  readonly rebootRequired: boolean;
  readonly hardware: DeviceHardware;
  readonly metrics: DeviceMetrics;
  readonly network: readonly NetworkInterface[];
  readonly volumes: readonly Volume[];
  readonly software: readonly InstalledSoftware[];
  readonly patches: readonly DevicePatch[] | null;
  readonly custom: ReadonlyMap<string, CustomValue>;
  readonly pendingPatchCount: number;
  /** Counts active alerts only. */
  readonly criticalAlertCount: number;
}

/** What filters read. Devices from outside our store may lack members that stored devices always have. */
export interface DeviceFacts
  extends Omit<Device, 'id' | 'orgId' | 'hostname' | 'status' | 'deviceRole' | 'volumes'> {
  readonly id: DeviceId | null;
  readonly orgId: OrgId | null;
  readonly hostname: string | null;
  readonly status: DeviceStatus | null;
  readonly deviceRole: DeviceRole | null;
}

/** For devices that never reported hardware. */
export const NO_HARDWARE: DeviceHardware = {
  manufacturer: null,
  model: null,
  serialNumber: null,
  cpuModel: null,
  gpuModel: null,
  cpuCores: null,
  ramTotalMb: null,
  diskTotalGb: null,
};

/** For devices that never sent a sample. */
export const NO_METRICS: DeviceMetrics = { cpuPercent: null, ramPercent: null, diskPercent: null };

/** Whether the status stays when the device reports or falls silent (Contract: §13). */
export function isLasting(status: DeviceStatus): boolean {
  return LASTING[status];
}

const LASTING: Readonly<Record<DeviceStatus, boolean>> = {
  online: false,
  offline: false,
  maintenance: true,
  decommissioned: true,
  quarantined: true,
  updating: false,
  pending: false,
};

/** UTF-16 code units of all texts: a measure of the cost of matching filters. */
export function textLengthOf(device: Device): number {
  const { hardware, network, software, patches, tags, custom } = device;
  let length = lengthOf(Object.values(device)) + lengthOf(Object.values(hardware)) + lengthOf(tags);
  for (const row of network) length += lengthOf(Object.values(row));
  for (const { name } of software) length += name.length;
  for (const { title } of patches ?? []) length += title.length;
  return length + lengthOf(custom.values());
}

function lengthOf(values: Iterable<unknown>): number {
  let length = 0;
  for (const value of values) if (typeof value === 'string') length += value.length;
  return length;
}
