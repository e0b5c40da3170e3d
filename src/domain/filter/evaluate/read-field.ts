/** Reads the fields of a device. PostgreSQL has columns for the same keys. */
import type { Device, DeviceFacts } from '#domain/device/device.ts';
import type {
  ListFieldKey,
  PatchFieldKey,
  RowsFieldKey,
  ValueFieldKey,
} from '#domain/filter/catalog/core-fields.ts';
import { type CustomField, readCustomValue } from '#domain/filter/catalog/custom-field.ts';
import {
  type FilterField,
  type ListField,
  type PatchField,
  type RowsField,
  type SoftwareField,
  shownField,
  type ValueField,
  type VersionsField,
} from '#domain/filter/catalog/field-catalog.ts';
import { rolloutBucket } from '#domain/filter/values/rollout-bucket.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import type { OrgId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { equalsFolded } from '#domain/text/fold-case.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** Instants are epoch milliseconds. */
export type Value = string | number | boolean | null;

/** A missing value is `[null]` or `[]`. */
export function valuesReader(field: FilterField): (device: DeviceFacts) => readonly Value[] {
  switch (field.reads) {
    case 'value': {
      const read = valueReader(field);
      return (device) => [read(device)];
    }
    case 'rows':
      return rowsReader(field);
    case 'list':
      return listReader(field);
    case 'versions':
      return versionKeysReader(field);
    case 'software':
    case 'patches':
      return namesReader(field);
    case 'filter':
      return () => [];
  }
}

/** Null if missing. */
export function valueReader(field: ValueField): (device: DeviceFacts) => Value {
  return field.source.kind === 'core' ? VALUES[field.source.key] : customReader(field.source.field);
}

export function rowsReader(field: RowsField): (device: DeviceFacts) => readonly Value[] {
  return ROWS[field.source.key];
}

export function listReader(field: ListField): (device: DeviceFacts) => readonly string[] {
  return LISTS[field.source.key];
}

export function versionKeysReader({ source }: VersionsField): (device: DeviceFacts) => readonly string[] {
  const isTitle = equalsFolded(source.folded);
  return ({ software }) =>
    software.flatMap(({ name, version }) => (isTitle(name) ? (keyOf(version) ?? []) : []));
}

/** The title's versions, ascending, each once. Texts that are no version are left out. */
function readVersions({ source }: VersionsField, { software }: DeviceFacts): readonly string[] {
  const isTitle = equalsFolded(source.folded);
  const keys = new Map<string, string>();
  for (const { name, version } of software) {
    const key = isTitle(name) ? keyOf(version) : null;
    if (key !== null && version !== null) keys.set(version, key);
  }
  return [...keys]
    .sort(([a, keyA], [b, keyB]) => compareCodePoints(keyA, keyB) || compareCodePoints(a, b))
    .map(([version]) => version);
}

export function namesReader({
  reads,
  source,
}: SoftwareField | PatchField): (device: DeviceFacts) => readonly string[] {
  return reads === 'software' ? readSoftware : titlesReader(source.key);
}

export function titlesReader(key: PatchFieldKey): (device: DeviceFacts) => readonly string[] {
  const wanted = STATUS_OF_TITLES[key];
  return ({ patches }) => patches?.flatMap(({ title, status }) => (status === wanted ? [title] : [])) ?? [];
}

export function readSoftware(device: DeviceFacts): readonly string[] {
  return device.software.map(({ name }) => name);
}

export const STATUS_OF_TITLES: Readonly<Record<PatchFieldKey, PatchStatus>> = {
  'patches.pendingTitle': 'pending',
  'patches.failedTitle': 'failed',
};

const VALUES: Readonly<Record<ValueFieldKey, (device: DeviceFacts) => Value>> = {
  hostname: (device) => device.hostname,
  displayName: (device) => device.displayName,
  status: (device) => device.status,
  agentVersion: (device) => device.agentVersion,
  'agent.version': (device) => keyOf(device.agentVersion),
  enrolledAt: (device) => device.enrolledAt,
  lastSeenAt: (device) => device.lastSeenAt,
  deviceRole: (device) => device.deviceRole,
  lastUser: (device) => device.lastUser,
  isHeadless: (device) => device.isHeadless,
  uptimeSeconds: (device) => device.uptimeSeconds,
  watchdogStatus: (device) => device.watchdogStatus,
  quarantinedAt: (device) => device.quarantinedAt,
  id: (device) => device.id,
  orgId: (device) => device.orgId,
  siteId: (device) => device.siteId,
  'rollout.bucket': (device) => (device.id === null ? null : rolloutBucket(device.id)),
  lastSeenIp: (device) => device.lastSeenIp,
  'patches.pending': (device) => device.pendingPatchCount > 0,
  'patches.reported': (device) => device.patches !== null,
  'alerts.critical': (device) => device.criticalAlertCount > 0,
  'system.rebootRequired': (device) => device.rebootRequired,
  osType: (device) => device.osType,
  osVersion: (device) => device.osVersion,
  'os.version': (device) => keyOf(device.osVersion),
  osBuild: (device) => device.osBuild,
  architecture: (device) => device.architecture,
  'hardware.manufacturer': (device) => device.hardware.manufacturer,
  'hardware.model': (device) => device.hardware.model,
  'hardware.serialNumber': (device) => device.hardware.serialNumber,
  'hardware.cpuModel': (device) => device.hardware.cpuModel,
  'hardware.cpuCores': (device) => device.hardware.cpuCores,
  'hardware.ramTotalMb': (device) => device.hardware.ramTotalMb,
  'hardware.diskTotalGb': (device) => device.hardware.diskTotalGb,
  'hardware.gpuModel': (device) => device.hardware.gpuModel,
  'metrics.reported': ({ metrics }) => Object.values(metrics).some((value) => value !== null),
  'metrics.cpuPercent': (device) => device.metrics.cpuPercent,
  'metrics.ramPercent': (device) => device.metrics.ramPercent,
  'metrics.diskPercent': (device) => device.metrics.diskPercent,
  daysSinceLastSeen: (device) => device.lastSeenAt,
  daysSinceEnrolled: (device) => device.enrolledAt,
};

/** A plain device may lack the version. */
function keyOf(version: string | null | undefined): string | null {
  return version == null ? null : versionKey(version);
}

const ROWS: Readonly<Record<RowsFieldKey, (device: DeviceFacts) => readonly Value[]>> = {
  'tags.name': (device) => device.tags,
  'network.ipAddress': (device) => device.network.map((row) => row.ipAddress),
  'network.publicIp': (device) => device.network.map((row) => row.publicIp),
  'network.macAddress': (device) => device.network.map((row) => row.macAddress),
};

const LISTS: Readonly<Record<ListFieldKey, (device: DeviceFacts) => readonly string[]>> = {
  tags: (device) => device.tags,
};

function customReader({ key, type, variants }: CustomField): (device: DeviceFacts) => Value {
  const choicesByOrg = new Map<OrgId | null, readonly string[]>(
    variants.flatMap(({ orgIds, choices }) => [...(orgIds ?? [])].map((orgId) => [orgId, choices] as const)),
  );
  const others = variants.find(({ orgIds }) => orgIds === null)?.choices;
  return (device) => {
    const choices = choicesByOrg.get(device.orgId) ?? others;
    return choices === undefined ? null : readCustomValue(type, choices, device.custom.get(key));
  };
}

/**
 * A value in an explanation (Contract: §12); null if missing.
 * - Instants are epoch milliseconds; elapsed days are exact fractions.
 * - Versions are ascending.
 * - Names of software and patches are in code point order, each once.
 * - Lists are cut at 100.
 */
export type ActualValue = Value | readonly string[];

/** Contract: §12. */
export const MAX_ACTUAL_VALUES = 100;

/** The value that an explanation shows (Contract: §12). */
export function readActual(field: FilterField, device: Device, at: EpochMs): ActualValue {
  switch (field.reads) {
    case 'value':
      return toActual(field, valueReader(shownField(field))(device), at);
    case 'rows': {
      const present = rowsReader(field)(device).filter((value) => typeof value === 'string');
      return present.length === 0 ? null : present.slice(0, MAX_ACTUAL_VALUES);
    }
    case 'list':
      return listReader(field)(device).slice(0, MAX_ACTUAL_VALUES);
    case 'versions': {
      const versions = readVersions(field, device);
      return versions.length === 0 ? null : versions.slice(0, MAX_ACTUAL_VALUES);
    }
    case 'software':
    case 'patches':
      return [...new Set(namesReader(field)(device))].sort(compareCodePoints).slice(0, MAX_ACTUAL_VALUES);
    case 'filter':
      return null;
  }
}

/** Computed fields hold an instant, which becomes the days since then. */
export function toActual(field: FilterField, held: ActualValue, at: EpochMs): ActualValue {
  return field.category === 'computed' && typeof held === 'number' ? (at - held) / DAY_MS : held;
}
