import type {
  CustomValue,
  Device,
  DeviceHardware,
  DeviceMetrics,
  DevicePatch,
  InstalledSoftware,
  NetworkInterface,
  Volume,
} from '#domain/device/device.ts';
import type { DeviceAlert, DeviceDetails } from '#domain/device/device-row.ts';

export interface DeviceDetailsRow {
  readonly id: Device['id'];
  readonly org_id: Device['orgId'];
  readonly site_id: Device['siteId'];
  readonly hostname: string;
  readonly display_name: string | null;
  readonly status: Device['status'];
  readonly os_type: Device['osType'];
  readonly os_version: string | null;
  readonly os_build: string | null;
  readonly architecture: Device['architecture'];
  readonly agent_version: string | null;
  readonly enrolled_at: Date | null;
  readonly last_seen_at: Date | null;
  readonly last_seen_ip: string | null;
  readonly tags: readonly string[];
  readonly device_role: Device['deviceRole'];
  readonly last_user: string | null;
  readonly is_headless: boolean | null;
  readonly uptime_seconds: number | null;
  readonly watchdog_status: Device['watchdogStatus'];
  readonly quarantined_at: Date | null;
  readonly reboot_required: boolean;
  readonly cpu_percent: number | null;
  readonly ram_percent: number | null;
  readonly disk_percent: number | null;
  readonly custom: Readonly<Record<string, CustomValue>> | null;
  readonly pending_patches: number;
  readonly critical_alerts: number;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial_number: string | null;
  readonly cpu_model: string | null;
  readonly gpu_model: string | null;
  readonly cpu_cores: number | null;
  readonly ram_total_mb: number | null;
  readonly disk_total_gb: number | null;
  readonly organization_name: string;
  readonly site_name: string | null;
  readonly patches_reported: boolean;
  readonly network: Listed<NetworkInterface>;
  readonly volumes: Listed<Volume>;
  readonly software: Listed<InstalledSoftware>;
  readonly patches: Listed<DevicePatch>;
  readonly alerts: Listed<DeviceAlert>;
}

interface Listed<T> {
  readonly first: readonly T[];
  readonly total: number;
}

export function toDeviceDetails(row: DeviceDetailsRow): DeviceDetails {
  return {
    device: toDevice(row),
    organization: { id: row.org_id, name: row.organization_name },
    site: row.site_id === null || row.site_name === null ? null : { id: row.site_id, name: row.site_name },
    alerts: row.alerts.first,
    totals: {
      network: row.network.total,
      volumes: row.volumes.total,
      software: row.software.total,
      patches: row.patches.total,
      alerts: row.alerts.total,
    },
  };
}

function toDevice(row: DeviceDetailsRow): Device {
  return {
    id: row.id,
    orgId: row.org_id,
    siteId: row.site_id,
    hostname: row.hostname,
    displayName: row.display_name,
    status: row.status,
    osType: row.os_type,
    osVersion: row.os_version,
    osBuild: row.os_build,
    architecture: row.architecture,
    agentVersion: row.agent_version,
    enrolledAt: row.enrolled_at?.getTime() ?? null,
    lastSeenAt: row.last_seen_at?.getTime() ?? null,
    lastSeenIp: row.last_seen_ip,
    tags: row.tags,
    deviceRole: row.device_role,
    lastUser: row.last_user,
    isHeadless: row.is_headless,
    uptimeSeconds: row.uptime_seconds,
    watchdogStatus: row.watchdog_status,
    quarantinedAt: row.quarantined_at?.getTime() ?? null,
    rebootRequired: row.reboot_required,
    hardware: toHardware(row),
    metrics: toMetrics(row),
    network: row.network.first,
    volumes: row.volumes.first,
    software: row.software.first,
    patches: row.patches_reported ? row.patches.first : null,
    custom: new Map(Object.entries(row.custom ?? {})),
    pendingPatchCount: row.pending_patches,
    criticalAlertCount: row.critical_alerts,
  };
}

function toHardware(row: DeviceDetailsRow): DeviceHardware {
  return {
    manufacturer: row.manufacturer,
    model: row.model,
    serialNumber: row.serial_number,
    cpuModel: row.cpu_model,
    gpuModel: row.gpu_model,
    cpuCores: row.cpu_cores,
    ramTotalMb: row.ram_total_mb,
    diskTotalGb: row.disk_total_gb,
  };
}

function toMetrics(row: DeviceDetailsRow): DeviceMetrics {
  return { cpuPercent: row.cpu_percent, ramPercent: row.ram_percent, diskPercent: row.disk_percent };
}
