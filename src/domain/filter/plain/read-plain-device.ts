/** Wrong types are refused, because guessing would give wrong answers silently. */
import {
  ARCHITECTURES,
  type CustomValue,
  DEVICE_ROLES,
  DEVICE_STATUSES,
  type Device,
  type DeviceFacts,
  type DevicePatch,
  type InstalledSoftware,
  type NetworkInterface,
  NO_HARDWARE,
  NO_METRICS,
  OS_TYPES,
  WATCHDOG_STATUSES,
} from '#domain/device/device.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import { type Id, parseId } from '#domain/ids.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { isObject } from '#domain/text/json-text.ts';
import type { EpochMs } from '#domain/time.ts';

/** Throws a TypeError that names the wrong member. */
export function readPlainDevice(plain: PlainDevice): DeviceFacts {
  const given: unknown = plain;
  if (!isObject(given)) throw new TypeError(`a device must be an object, not ${describe(given)}`);
  return {
    id: readId<'device'>(plain.id, 'id'),
    orgId: readId<'organization'>(plain.orgId, 'orgId'),
    siteId: readId<'site'>(plain.siteId, 'siteId'),
    hostname: readText(plain.hostname, 'hostname'),
    displayName: readText(plain.displayName, 'displayName'),
    status: readWord(plain.status, 'status', DEVICE_STATUSES),
    osType: readWord(plain.osType, 'osType', OS_TYPES),
    osVersion: readText(plain.osVersion, 'osVersion'),
    osBuild: readText(plain.osBuild, 'osBuild'),
    architecture: readWord(plain.architecture, 'architecture', ARCHITECTURES),
    agentVersion: readText(plain.agentVersion, 'agentVersion'),
    enrolledAt: readOptionalInstant(plain.enrolledAt, 'enrolledAt'),
    lastSeenAt: readOptionalInstant(plain.lastSeenAt, 'lastSeenAt'),
    lastSeenIp: readText(plain.lastSeenIp, 'lastSeenIp'),
    tags: readList(plain.tags, 'tags', isText, 'strings'),
    deviceRole: readWord(plain.deviceRole, 'deviceRole', DEVICE_ROLES),
    lastUser: readText(plain.lastUser, 'lastUser'),
    isHeadless: readBoolean(plain.isHeadless, 'isHeadless'),
    uptimeSeconds: readNumber(plain.uptimeSeconds, 'uptimeSeconds'),
    watchdogStatus: readWord(plain.watchdogStatus, 'watchdogStatus', WATCHDOG_STATUSES),
    quarantinedAt: readOptionalInstant(plain.quarantinedAt, 'quarantinedAt'),
    rebootRequired: readBoolean(plain.rebootRequired, 'rebootRequired') ?? false,
    hardware: readHardware(plain.hardware),
    metrics: readMetrics(plain.metrics),
    network: readNetwork(plain.network),
    software: readList(plain.software, 'software', isSoftware, 'objects with a name and a version'),
    ...readPatches(plain),
    custom: readCustom(plain.custom),
    criticalAlertCount: readNumber(plain.criticalAlertCount, 'criticalAlertCount') ?? 0,
  };
}

/** Throws a TypeError unless the value is whole milliseconds or an existing date. */
export function readInstant(value: unknown, member: string): EpochMs {
  if (Number.isSafeInteger(value)) return value as EpochMs;
  const parsed = typeof value === 'string' ? parseIsoInstant(value) : null;
  return parsed?.epochMs ?? refuse(member, INSTANT, value);
}

const INSTANT =
  'whole milliseconds since 1970, or an ISO 8601 date such as "2026-02-10T08:00:00Z" (at most milliseconds)';

function readOptionalInstant(value: unknown, member: string): EpochMs | null {
  return isMissing(value) ? null : readInstant(value, member);
}

/** Keeps text that is no UUID, though no filter can name it. */
function readId<K extends string>(value: unknown, member: string): Id<K> | null {
  const text = readText(value, member);
  return text === null ? null : (parseId<K>(text) ?? (text as Id<K>));
}

function readText(value: unknown, member: string): string | null {
  if (typeof value === 'string') return value;
  return isMissing(value) ? null : refuse(member, 'a string', value);
}

function readWord<W extends string>(value: unknown, member: string, words: readonly W[]): W | null {
  if (isMissing(value)) return null;
  if (words.includes(value as W)) return value as W;
  return refuse(member, `one of ${words.join(', ')}, or left out`, value);
}

function readNumber(value: unknown, member: string): number | null {
  if (Number.isFinite(value)) return value as number;
  return isMissing(value) ? null : refuse(member, 'a finite number', value);
}

function readBoolean(value: unknown, member: string): boolean | null {
  if (typeof value === 'boolean') return value;
  return isMissing(value) ? null : refuse(member, 'true or false', value);
}

function readHardware(hardware: unknown): DeviceFacts['hardware'] {
  if (isMissing(hardware)) return NO_HARDWARE;
  if (!isObject(hardware)) return refuse('hardware', 'an object', hardware);
  return {
    manufacturer: readText(hardware.manufacturer, 'hardware.manufacturer'),
    model: readText(hardware.model, 'hardware.model'),
    serialNumber: readText(hardware.serialNumber, 'hardware.serialNumber'),
    cpuModel: readText(hardware.cpuModel, 'hardware.cpuModel'),
    gpuModel: readText(hardware.gpuModel, 'hardware.gpuModel'),
    cpuCores: readNumber(hardware.cpuCores, 'hardware.cpuCores'),
    ramTotalMb: readNumber(hardware.ramTotalMb, 'hardware.ramTotalMb'),
    diskTotalGb: readNumber(hardware.diskTotalGb, 'hardware.diskTotalGb'),
  };
}

function readMetrics(metrics: unknown): DeviceFacts['metrics'] {
  if (isMissing(metrics)) return NO_METRICS;
  if (!isObject(metrics)) return refuse('metrics', 'an object', metrics);
  return {
    cpuPercent: readNumber(metrics.cpuPercent, 'metrics.cpuPercent'),
    ramPercent: readNumber(metrics.ramPercent, 'metrics.ramPercent'),
    diskPercent: readNumber(metrics.diskPercent, 'metrics.diskPercent'),
  };
}

function readNetwork(network: unknown): readonly NetworkInterface[] {
  return readList(network, 'network', isObject, 'objects').map((row, i) => ({
    ipAddress: readText(row.ipAddress, `network[${i}].ipAddress`),
    publicIp: readText(row.publicIp, `network[${i}].publicIp`),
    macAddress: readText(row.macAddress, `network[${i}].macAddress`),
  }));
}

/** Does not copy the list, which may be long. */
function readList<T>(
  value: unknown,
  member: string,
  isElement: (element: unknown) => element is T,
  elements: string,
): readonly T[] {
  if (isMissing(value)) return [];
  if (!Array.isArray(value)) return refuse(member, `an array of ${elements}`, value);
  for (let i = 0; i < value.length; i++) {
    if (!isElement(value[i])) refuse(`${member}[${i}]`, `one of an array of ${elements}`, value[i]);
  }
  return value;
}

/** Without `patches`, a `pendingPatchCount` above 0 still shows that the device reported its patches. */
function readPatches(plain: PlainDevice): Pick<DeviceFacts, 'patches' | 'pendingPatchCount'> {
  const count = readNumber(plain.pendingPatchCount, 'pendingPatchCount');
  if (isMissing(plain.patches)) {
    return { patches: count !== null && count > 0 ? [] : null, pendingPatchCount: count ?? 0 };
  }
  const patches = readList(plain.patches, 'patches', isPatch, 'objects with a title and a status');
  const pending = patches.filter(({ status }) => status === 'pending').length;
  return { patches, pendingPatchCount: count ?? pending };
}

function readCustom(custom: unknown): ReadonlyMap<string, CustomValue> {
  if (isMissing(custom)) return NO_CUSTOM_VALUES;
  if (custom instanceof Map) return custom;
  if (!isObject(custom)) return refuse('custom', 'an object with the values by key', custom);
  return new Map(Object.entries(custom) as [string, CustomValue][]);
}

const NO_CUSTOM_VALUES: ReadonlyMap<string, CustomValue> = new Map();

function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSoftware(value: unknown): value is InstalledSoftware {
  return (
    isObject(value) && typeof value.name === 'string' && (isMissing(value.version) || isText(value.version))
  );
}

function isPatch(value: unknown): value is DevicePatch {
  return (
    isObject(value) &&
    typeof value.title === 'string' &&
    (PATCH_STATUSES as readonly unknown[]).includes(value.status)
  );
}

function refuse(member: string, wanted: string, value: unknown): never {
  throw new TypeError(`${member} must be ${wanted}, not ${describe(value)}`);
}

/** Epoch milliseconds, or an ISO 8601 date such as `2026-02-10T08:00:00Z` (Contract: §4). */
export type PlainInstant = EpochMs | string;

type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Members that {@link Device} holds in another form. */
interface PlainMembers {
  /** In upper or lower case, like all ids. */
  readonly id?: string | null | undefined;
  readonly orgId?: string | null | undefined;
  readonly siteId?: string | null | undefined;
  readonly enrolledAt?: PlainInstant | null | undefined;
  readonly lastSeenAt?: PlainInstant | null | undefined;
  readonly quarantinedAt?: PlainInstant | null | undefined;
  readonly hardware?: Optional<Device['hardware']> | null | undefined;
  readonly metrics?: Optional<Device['metrics']> | null | undefined;
  readonly network?: readonly Optional<NetworkInterface>[] | null | undefined;
  readonly software?:
    | readonly (Pick<InstalledSoftware, 'name'> & Optional<InstalledSoftware>)[]
    | null
    | undefined;
  /** Values by key; dates are ISO 8601. A value that does not fit its definition is missing. */
  readonly custom?:
    | ReadonlyMap<string, CustomValue>
    | { readonly [key: string]: CustomValue | undefined }
    | null
    | undefined;
}

/**
 * A device as parsed JSON or a row of another store (Contract: §15). Unknown members are ignored. Absent and
 * null members are missing values, except:
 * - `rebootRequired` is false.
 * - Lists are empty.
 * - `criticalAlertCount` is 0; `pendingPatchCount` is the number of pending `patches`.
 */
export type PlainDevice = PlainMembers & Optional<Omit<Device, 'volumes' | keyof PlainMembers>>;
