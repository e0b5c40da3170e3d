/** A device as rows of its tables, for loads and single inventories alike. */
import { customColumn, customDerivedColumn, foldedCompanion } from '#adapters/postgres/derived-columns.ts';
import type { Device } from '#domain/device/device.ts';
import type { Patch } from '#domain/fleet/fleet-record.ts';
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { CopyValue } from './copy-text.ts';

/** A device as it is written. Its alert counter is maintained wherever alerts are written. */
export type StoredDevice = Omit<Device, 'pendingPatchCount' | 'criticalAlertCount'> & {
  readonly patches: readonly Patch[];
};

type Columns<T> = Readonly<Record<string, (from: T) => CopyValue>>;

export const DEVICE_COLUMNS = {
  id: (device) => device.id,
  org_id: (device) => device.orgId,
  site_id: (device) => device.siteId,
  status: (device) => device.status,
  device_role: (device) => device.deviceRole,
  pending_patches: (device) => device.patches.filter(({ status }) => status === 'pending').length,
  reboot_required: (device) => device.rebootRequired,
  os_type: (device) => device.osType,
  last_seen_at: (device) => printInstantOrNull(device.lastSeenAt),
  enrolled_at: (device) => printInstantOrNull(device.enrolledAt),
  cpu_percent: (device) => device.metrics.cpuPercent,
  ram_percent: (device) => device.metrics.ramPercent,
  disk_percent: (device) => device.metrics.diskPercent,
  uptime_seconds: (device) => device.uptimeSeconds,
  is_headless: (device) => device.isHeadless,
  architecture: (device) => device.architecture,
  watchdog_status: (device) => device.watchdogStatus,
  quarantined_at: (device) => printInstantOrNull(device.quarantinedAt),
  hostname_lc: (device) => foldCase(device.hostname),
  hostname: (device) => device.hostname,
  display_name: (device) => device.displayName,
  display_name_lc: (device) => foldedCompanion(device.displayName),
  last_user: (device) => device.lastUser,
  last_user_lc: (device) => foldedCompanion(device.lastUser),
  agent_version: (device) => device.agentVersion,
  agent_version_lc: (device) => foldedCompanion(device.agentVersion),
  os_version: (device) => device.osVersion,
  os_version_lc: (device) => foldedCompanion(device.osVersion),
  os_build: (device) => device.osBuild,
  os_build_lc: (device) => foldedCompanion(device.osBuild),
  last_seen_ip: (device) => device.lastSeenIp,
  last_seen_ip_lc: (device) => foldedCompanion(device.lastSeenIp),
  tags: (device) => device.tags,
  custom: (device) => jsonOrNull(customColumn(device.custom)),
  custom_derived: (device) => jsonOrNull(customDerivedColumn(device.custom)),
} as const satisfies Columns<StoredDevice>;

type DevicePart = Pick<Device, 'id' | 'orgId' | 'hardware'>;

export const HARDWARE_COLUMNS = {
  device_id: (device) => device.id,
  org_id: (device) => device.orgId,
  cpu_cores: ({ hardware }) => hardware.cpuCores,
  ram_total_mb: ({ hardware }) => hardware.ramTotalMb,
  disk_total_gb: ({ hardware }) => hardware.diskTotalGb,
  manufacturer: ({ hardware }) => hardware.manufacturer,
  manufacturer_lc: ({ hardware }) => foldedCompanion(hardware.manufacturer),
  model: ({ hardware }) => hardware.model,
  model_lc: ({ hardware }) => foldedCompanion(hardware.model),
  serial_number: ({ hardware }) => hardware.serialNumber,
  serial_number_lc: ({ hardware }) => foldedCompanion(hardware.serialNumber),
  cpu_model: ({ hardware }) => hardware.cpuModel,
  cpu_model_lc: ({ hardware }) => foldedCompanion(hardware.cpuModel),
  gpu_model: ({ hardware }) => hardware.gpuModel,
  gpu_model_lc: ({ hardware }) => foldedCompanion(hardware.gpuModel),
} as const satisfies Columns<DevicePart>;

export const NETWORK_COLUMN_NAMES = [
  'device_id',
  'position',
  'org_id',
  'ip_address',
  'ip_address_lc',
  'public_ip',
  'public_ip_lc',
  'mac_address',
  'mac_address_lc',
] as const;

/** One row per interface, in order. */
export function networkRows(
  device: Pick<Device, 'id' | 'orgId' | 'network'>,
): readonly (readonly CopyValue[])[] {
  return device.network.map(({ ipAddress, publicIp, macAddress }, position) => [
    device.id,
    position,
    device.orgId,
    ipAddress,
    foldedCompanion(ipAddress),
    publicIp,
    foldedCompanion(publicIp),
    macAddress,
    foldedCompanion(macAddress),
  ]);
}

export const SOFTWARE_COLUMN_NAMES = ['device_id', 'org_id', 'title_ids', 'versions'] as const;

/** The titles by ascending id, each once and with the last of its versions; null if there are none. */
export function softwareRow(
  { id: deviceId, orgId, software }: Pick<Device, 'id' | 'orgId' | 'software'>,
  titleIds: ReadonlyMap<string, number>,
):
  | readonly [
      deviceId: DeviceId,
      orgId: OrgId,
      titleIds: readonly number[],
      versions: readonly (string | null)[],
    ]
  | null {
  const { length } = software;
  if (length === 0) return null;
  // Id and place in one number, so that they are sorted without a call for each comparison.
  const keys = new Float64Array(length);
  for (const [place, { name }] of software.entries()) {
    const id = titleIds.get(name);
    if (id === undefined) throw new Error('a software title has no id');
    keys[place] = id * length + place;
  }
  keys.sort();
  const ids: number[] = [];
  const versions: (string | null)[] = [];
  for (const key of keys) {
    const id = Math.floor(key / length);
    const version = software[key - id * length]?.version ?? null;
    if (id === ids.at(-1)) versions[versions.length - 1] = version;
    else {
      ids.push(id);
      versions.push(version);
    }
  }
  return [deviceId, orgId, ids, versions];
}

export const PATCH_COLUMN_NAMES = ['id', 'device_id', 'org_id', 'title', 'status', 'is_repeat'] as const;

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : jsonText(value);
}
