/** Every presenter lists every field, so that a new one is never exposed by accident (Contract: §10). */
import type { BulkOutcome as BulkFacts, UndoOutcome as UndoFacts } from '#application/devices/bulk-change.ts';
import type { DeviceFilters as FiltersOfDevice } from '#application/devices/list-device-filters.ts';
import type { DeviceView, DeviceList as ListedDevices } from '#application/devices/list-devices.ts';
import type { Duplicates as ListedDuplicates } from '#application/devices/list-duplicates.ts';
import { hasHardware, type DeviceRow as RowFacts, toDeviceRow } from '#domain/device/device-row.ts';
import { makeExportPrinter } from '#domain/export/print-export.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import type {
  BulkOutcome,
  Device,
  DeviceFilters,
  DevicePage,
  DeviceRow,
  Duplicates,
  UndoOutcome,
} from './device-shapes.ts';

export function presentDeviceList(list: ListedDevices): string {
  const { devices, values, columns, nextCursor, totalCount, evaluatedAt } = list;
  const { row: print } = makeExportPrinter('ndjson', columns, evaluatedAt);
  return JSON.stringify({
    data: devices.map((device, i) => ({
      ...toRow(device),
      ...(columns.length > 0 && { fields: JSON.parse(print(values[i] ?? [])) }),
    })),
    nextCursor,
    totalCount,
    evaluatedAt: printInstant(evaluatedAt),
  } satisfies DevicePage);
}

export function presentDuplicates({ groups, nextCursor }: ListedDuplicates): string {
  return JSON.stringify({
    data: groups.map(({ devices, because }) => ({ devices: devices.map(toRow), because: [...because] })),
    nextCursor,
  } satisfies Duplicates);
}

export function presentDeviceFilters({ filters, evaluatedAt }: FiltersOfDevice): string {
  return JSON.stringify({
    data: filters.map(({ id, name, since }) => {
      return { id, name, since: since === null ? null : printInstant(since) };
    }),
    evaluatedAt: printInstant(evaluatedAt),
  } satisfies DeviceFilters);
}

export function presentBulkOutcome({ changed, unchanged, operationId }: BulkFacts): string {
  return JSON.stringify({ changed, unchanged, operationId } satisfies BulkOutcome);
}

export function presentUndoOutcome({ restored, skipped }: UndoFacts): string {
  return JSON.stringify({ restored, skipped } satisfies UndoOutcome);
}

export function presentDevice({
  device,
  organization,
  site,
  alerts,
  totals,
  customFields,
}: DeviceView): string {
  const { hardware, patches } = device;
  return JSON.stringify({
    ...toRow(toDeviceRow(device)),
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
    volumes: device.volumes.map(({ name, filesystem, totalGb, freeGb }) => ({
      name,
      filesystem,
      totalGb,
      freeGb,
    })),
    software: device.software.map(({ name, version }) => ({ name, version })),
    patches: patches === null ? null : patches.map(({ title, status }) => ({ title, status })),
    alerts: alerts.map(({ id, title, message, severity, status, createdAt }) => ({
      id,
      title,
      message,
      severity,
      status,
      createdAt: printInstant(createdAt),
    })),
    totals: {
      network: totals.network,
      volumes: totals.volumes,
      software: totals.software,
      patches: totals.patches,
      alerts: totals.alerts,
    },
    custom: customFields.map(({ key, name, type, value }) => ({ key, name, type, value })),
  } satisfies Device);
}

export function toRow(row: RowFacts): DeviceRow {
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
