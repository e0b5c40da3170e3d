import {
  customColumn,
  customDerivedColumn,
  foldedCompanion,
  versionKeyOf,
} from '#adapters/postgres/derived-columns.ts';
import type { Device } from '#domain/device/device.ts';
import { softwareEntries } from '#domain/device/installed-software.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';

/** COPY takes JSON and ISO 8601 dates as texts. */
export type CopyValue = string | number | boolean | null | readonly (string | number | null)[];

/** All rows of a table have the same columns in the same order. */
export type Row = Readonly<Record<string, CopyValue>>;

/** The row lacks `critical_alerts`, which is updated where alerts are written. */
export function deviceRow(device: DeviceRecord): Row {
  return {
    id: device.id,
    org_id: device.orgId,
    site_id: device.siteId,
    status: device.status,
    device_role: device.deviceRole,
    pending_patches: device.patches?.filter(({ status }) => status === 'pending').length ?? 0,
    reboot_required: device.rebootRequired,
    os_type: device.osType,
    last_seen_at: printInstantOrNull(device.lastSeenAt),
    enrolled_at: printInstantOrNull(device.enrolledAt),
    cpu_percent: device.metrics.cpuPercent,
    ram_percent: device.metrics.ramPercent,
    disk_percent: device.metrics.diskPercent,
    uptime_seconds: device.uptimeSeconds,
    is_headless: device.isHeadless,
    architecture: device.architecture,
    watchdog_status: device.watchdogStatus,
    quarantined_at: printInstantOrNull(device.quarantinedAt),
    hostname_lc: foldCase(device.hostname),
    hostname: device.hostname,
    display_name: device.displayName,
    display_name_lc: foldedCompanion(device.displayName),
    last_user: device.lastUser,
    last_user_lc: foldedCompanion(device.lastUser),
    agent_version: device.agentVersion,
    agent_version_lc: foldedCompanion(device.agentVersion),
    agent_version_key: versionKeyOf(device.agentVersion),
    os_version: device.osVersion,
    os_version_lc: foldedCompanion(device.osVersion),
    os_version_key: versionKeyOf(device.osVersion),
    os_build: device.osBuild,
    os_build_lc: foldedCompanion(device.osBuild),
    last_seen_ip: device.lastSeenIp,
    last_seen_ip_lc: foldedCompanion(device.lastSeenIp),
    tags: device.tags,
    custom: jsonOrNull(customColumn(device.custom)),
    custom_derived: jsonOrNull(customDerivedColumn(device.custom)),
    system_uuid: device.systemUuid ?? null,
    reports_since: printInstantOrNull(device.reportsSince ?? null),
    makes_contact: device.makesContact ?? false,
    inventoried_at: printInstantOrNull(device.inventoriedAt ?? null),
    patches_reported: device.patches !== null,
  };
}

export function hardwareRow({ id, orgId, hardware }: Pick<Device, 'id' | 'orgId' | 'hardware'>): Row {
  return {
    device_id: id,
    org_id: orgId,
    cpu_cores: hardware.cpuCores,
    ram_total_mb: hardware.ramTotalMb,
    disk_total_gb: hardware.diskTotalGb,
    manufacturer: hardware.manufacturer,
    manufacturer_lc: foldedCompanion(hardware.manufacturer),
    model: hardware.model,
    model_lc: foldedCompanion(hardware.model),
    serial_number: hardware.serialNumber,
    serial_number_lc: foldedCompanion(hardware.serialNumber),
    cpu_model: hardware.cpuModel,
    cpu_model_lc: foldedCompanion(hardware.cpuModel),
    gpu_model: hardware.gpuModel,
    gpu_model_lc: foldedCompanion(hardware.gpuModel),
  };
}

export function networkRows({
  id,
  orgId,
  network,
}: Pick<Device, 'id' | 'orgId' | 'network'>): readonly Row[] {
  return network.map(({ ipAddress, publicIp, macAddress }, position) => ({
    device_id: id,
    position,
    org_id: orgId,
    ip_address: ipAddress,
    ip_address_lc: foldedCompanion(ipAddress),
    public_ip: publicIp,
    public_ip_lc: foldedCompanion(publicIp),
    mac_address: macAddress,
    mac_address_lc: foldedCompanion(macAddress),
  }));
}

export function volumeRows({ id, orgId, volumes }: Pick<Device, 'id' | 'orgId' | 'volumes'>): readonly Row[] {
  return volumes.map(({ name, filesystem, totalGb, freeGb }, position) => ({
    device_id: id,
    position,
    org_id: orgId,
    name,
    filesystem,
    total_gb: totalGb,
    free_gb: freeGb,
  }));
}

/** Returns null if the device has no software. `titleIds` maps each `entryKey` to an id. */
export function softwareRow(
  { id, orgId, software }: Pick<Device, 'id' | 'orgId' | 'software'>,
  titleIds: ReadonlyMap<string, number>,
): (Row & { readonly title_ids: readonly number[] }) | null {
  if (software.length === 0) return null;
  const ids = Array.from(softwareEntries(software).keys(), (key) => {
    const entryId = titleIds.get(key);
    if (entryId === undefined) throw new Error('a software title has no id');
    return entryId;
  });
  return { device_id: id, org_id: orgId, title_ids: ids.sort((a, b) => a - b) };
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : jsonText(value);
}
