/**
 * How the in-process evaluator reads each field from a device. What the PostgreSQL compiler does with columns is
 * done here with members; both are records over the keys of `CORE_FIELDS`.
 */
import type { Device } from '#domain/device/device.ts';
import type { CoreFieldKey } from '#domain/filter/catalog/core-fields.ts';
import { type CustomField, readCustomValue } from '#domain/filter/catalog/custom-field.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';

type Value = string | number | boolean | null;

/** One value, or one for each row of a field that has several. Instants are epoch milliseconds. */
export type FieldReader =
  | { readonly kind: 'single'; readonly read: (device: Device) => Value }
  | { readonly kind: 'rows'; readonly read: (device: Device) => readonly Value[] }
  | { readonly kind: 'list'; readonly read: (device: Device) => readonly string[] };

/** The reader of a field of the catalogue. */
export function readerOf(field: FilterField): FieldReader {
  return field.source.kind === 'core' ? CORE_READERS[field.source.key] : customReader(field.source.field);
}

const CORE_READERS: Record<CoreFieldKey, FieldReader> = {
  hostname: single((device) => device.hostname),
  displayName: single((device) => device.displayName),
  status: single((device) => device.status),
  agentVersion: single((device) => device.agentVersion),
  enrolledAt: single((device) => device.enrolledAt),
  lastSeenAt: single((device) => device.lastSeenAt),
  tags: { kind: 'list', read: (device) => device.tags },
  'tags.name': rows((device) => device.tags),
  deviceRole: single((device) => device.deviceRole),
  lastUser: single((device) => device.lastUser),
  isHeadless: single((device) => device.isHeadless),
  uptimeSeconds: single((device) => device.uptimeSeconds),
  watchdogStatus: single((device) => device.watchdogStatus),
  quarantinedAt: single((device) => device.quarantinedAt),
  orgId: single((device) => device.orgId),
  siteId: single((device) => device.siteId),
  lastSeenIp: single((device) => device.lastSeenIp),
  'patches.pending': single((device) => device.pendingPatchCount > 0),
  'alerts.critical': single((device) => device.criticalAlertCount > 0),
  'system.rebootRequired': single((device) => device.rebootRequired),
  osType: single((device) => device.osType),
  osVersion: single((device) => device.osVersion),
  osBuild: single((device) => device.osBuild),
  architecture: single((device) => device.architecture),
  'hardware.manufacturer': single((device) => device.hardware.manufacturer),
  'hardware.model': single((device) => device.hardware.model),
  'hardware.serialNumber': single((device) => device.hardware.serialNumber),
  'hardware.cpuModel': single((device) => device.hardware.cpuModel),
  'hardware.cpuCores': single((device) => device.hardware.cpuCores),
  'hardware.ramTotalMb': single((device) => device.hardware.ramTotalMb),
  'hardware.diskTotalGb': single((device) => device.hardware.diskTotalGb),
  'hardware.gpuModel': single((device) => device.hardware.gpuModel),
  'network.ipAddress': rows((device) => device.network.map((row) => row.ipAddress)),
  'network.publicIp': rows((device) => device.network.map((row) => row.publicIp)),
  'network.macAddress': rows((device) => device.network.map((row) => row.macAddress)),
  'metrics.cpuPercent': single((device) => device.metrics.cpuPercent),
  'metrics.ramPercent': single((device) => device.metrics.ramPercent),
  'metrics.diskPercent': single((device) => device.metrics.diskPercent),
  'software.installed': rows((device) => device.software.map((row) => row.name)),
  'software.notInstalled': rows((device) => device.software.map((row) => row.name)),
  daysSinceLastSeen: single((device) => device.lastSeenAt),
  daysSinceEnrolled: single((device) => device.enrolledAt),
};

function single(read: (device: Device) => Value): FieldReader {
  return { kind: 'single', read };
}

function rows(read: (device: Device) => readonly Value[]): FieldReader {
  return { kind: 'rows', read };
}

function customReader({ key, type, variants }: CustomField): FieldReader {
  const choicesByOrg = new Map(
    variants.flatMap(({ orgIds, choices }) => [...orgIds].map((orgId) => [orgId, choices] as const)),
  );
  return single((device) => {
    const choices = choicesByOrg.get(device.orgId);
    return choices === undefined ? null : readCustomValue(type, choices, device.custom.get(key));
  });
}
