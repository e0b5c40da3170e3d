/** Devices as JSON text, field by field, so that nothing new is exposed by accident (Contract: §10). */
import type { DeviceFilters } from '#application/devices/list-device-filters.ts';
import type { DeviceList } from '#application/devices/list-devices.ts';
import type { DeviceView } from '#application/devices/read-device.ts';
import { hasHardware } from '#domain/device/device-details.ts';
import { type DeviceRow, toDeviceRow } from '#domain/device/device-row.ts';
import { printInstant, printInstantOrNull } from '#domain/text/print-instant.ts';

/** `{data, nextCursor, totalCount, evaluatedAt}`. */
export function presentDeviceList({ devices, nextCursor, totalCount, evaluatedAt }: DeviceList): string {
  return JSON.stringify({
    data: devices.map(toRowBody),
    nextCursor,
    totalCount,
    evaluatedAt: printInstant(evaluatedAt),
  });
}

/** `{data: [{id, name}], evaluatedAt}`. */
export function presentDeviceFilters({ filters, evaluatedAt }: DeviceFilters): string {
  const data = filters.map(({ id, name }) => ({ id, name }));
  return JSON.stringify({ data, evaluatedAt: printInstant(evaluatedAt) });
}

/** The row and all the rest. */
export function presentDevice({
  device,
  organization,
  site,
  patches,
  alerts,
  customFields,
}: DeviceView): string {
  const { hardware } = device;
  return JSON.stringify({
    ...toRowBody(toDeviceRow(device)),
    organization: { id: organization.id, name: organization.name },
    site: site === null ? null : { id: site.id, name: site.name },
    agentVersion: device.agentVersion,
    osBuild: device.osBuild,
    architecture: device.architecture,
    lastSeenIp: device.lastSeenIp,
    isHeadless: device.isHeadless,
    uptimeSeconds: device.uptimeSeconds,
    watchdogStatus: device.watchdogStatus,
    quarantinedAt: printInstantOrNull(device.quarantinedAt),
    hardware: hasHardware(hardware)
      ? {
          manufacturer: hardware.manufacturer,
          model: hardware.model,
          serialNumber: hardware.serialNumber,
          cpuModel: hardware.cpuModel,
          gpuModel: hardware.gpuModel,
          cpuCores: hardware.cpuCores,
          ramTotalMb: hardware.ramTotalMb,
          diskTotalGb: hardware.diskTotalGb,
        }
      : null,
    network: device.network.map(({ ipAddress, publicIp, macAddress }) => ({
      ipAddress,
      publicIp,
      macAddress,
    })),
    software: device.software.map(({ name, version }) => ({ name, version })),
    patches: patches.map(({ title, status }) => ({ title, status })),
    alerts: alerts.map(({ id, title, message, severity, status, createdAt }) => ({
      id,
      title,
      message,
      severity,
      status,
      createdAt: printInstant(createdAt),
    })),
    custom: customFields.map(({ key, name, type, value }) => ({ key, name, type, value })),
  });
}

function toRowBody(row: DeviceRow): object {
  const { cpuPercent, ramPercent, diskPercent } = row.metrics;
  return {
    id: row.id,
    orgId: row.orgId,
    siteId: row.siteId,
    hostname: row.hostname,
    displayName: row.displayName,
    status: row.status,
    osType: row.osType,
    osVersion: row.osVersion,
    deviceRole: row.deviceRole,
    lastUser: row.lastUser,
    tags: row.tags,
    lastSeenAt: printInstantOrNull(row.lastSeenAt),
    enrolledAt: printInstantOrNull(row.enrolledAt),
    metrics: { cpuPercent, ramPercent, diskPercent },
    patchesPending: row.patchesPending,
    alertsCritical: row.alertsCritical,
    rebootRequired: row.rebootRequired,
  };
}
