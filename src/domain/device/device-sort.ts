/**
 * The orders of device lists (Contract: §10). They have no ties, so a page can continue after a device that is gone.
 */
import type { DeviceId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase, sortedName } from '#domain/text/fold-case.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, type Device, OS_TYPES } from './device.ts';

/** Sort keys (Contract: §10). */
export const DEVICE_SORT_KEYS = [
  'hostname',
  'displayName',
  'status',
  'osType',
  'deviceRole',
  'lastSeenAt',
  'enrolledAt',
  'metrics.cpuPercent',
  'metrics.ramPercent',
  'metrics.diskPercent',
] as const;
export type DeviceSortKey = (typeof DEVICE_SORT_KEYS)[number];

/** All sorts as `parseDeviceSort` reads them, such as `-hostname`. */
export const DEVICE_SORTS: readonly string[] = DEVICE_SORT_KEYS.flatMap((key) => [key, `-${key}`]);

/** Descending order reverses the key only: missing values stay last, ties keep the order of previews. */
export interface DeviceSort {
  readonly key: DeviceSortKey;
  readonly isDescending: boolean;
}

/** The order of previews. */
export const DEFAULT_DEVICE_SORT: DeviceSort = { key: 'hostname', isDescending: false };

/** The value of a sort key. Texts are case-folded; instants are numbers. */
export type SortValue = string | number | null;

export interface DevicePosition {
  readonly value: SortValue;
  /** Case-folded. */
  readonly hostname: string;
  readonly id: DeviceId;
}

/** What sorting reads of a device. */
export type SortedDevice = Pick<Device, 'id' | 'metrics' | Exclude<DeviceSortKey, `metrics.${string}`>>;

/** Reads `lastSeenAt`, or `-lastSeenAt` for descending; null for anything else. */
export function parseDeviceSort(text: string): DeviceSort | null {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const key = DEVICE_SORT_KEYS.find((known) => known === name);
  return key === undefined ? null : { key, isDescending };
}

/** The inverse of `parseDeviceSort`. */
export function printDeviceSort({ key, isDescending }: DeviceSort): string {
  return `${isDescending ? '-' : ''}${key}`;
}

/** The device's place in an order by this key. */
export function positionOf(device: SortedDevice, { key }: Pick<DeviceSort, 'key'>): DevicePosition {
  return { value: KEYS[key].read(device), hostname: foldCase(device.hostname), id: device.id };
}

/** Compares positions. The result is 0 only for the same device. */
export function positionOrder({
  key,
  isDescending,
}: DeviceSort): (a: DevicePosition, b: DevicePosition) => number {
  const { compare } = KEYS[key];
  const direction = isDescending ? -1 : 1;
  return (a, b) => {
    if (a.value === null || b.value === null) {
      if (a.value !== b.value) return a.value === null ? 1 : -1;
    } else {
      const byKey = compare(a.value, b.value);
      if (byKey !== 0) return direction * byKey;
    }
    return compareCodePoints(a.hostname, b.hostname) || compareCodePoints(a.id, b.id);
  };
}

interface Key {
  readonly read: (device: SortedDevice) => SortValue;
  readonly compare: (a: string | number, b: string | number) => number;
}

const KEYS: Readonly<Record<DeviceSortKey, Key>> = {
  hostname: text((device) => foldCase(device.hostname)),
  displayName: text(({ displayName }) => (displayName === null ? null : sortedName(displayName))),
  status: word((device) => device.status, DEVICE_STATUSES),
  osType: word((device) => device.osType, OS_TYPES),
  deviceRole: word((device) => device.deviceRole, DEVICE_ROLES),
  lastSeenAt: number((device) => device.lastSeenAt),
  enrolledAt: number((device) => device.enrolledAt),
  'metrics.cpuPercent': number((device) => device.metrics.cpuPercent),
  'metrics.ramPercent': number((device) => device.metrics.ramPercent),
  'metrics.diskPercent': number((device) => device.metrics.diskPercent),
};

function text(read: Key['read']): Key {
  return { read, compare: (a, b) => compareCodePoints(String(a), String(b)) };
}

/** Sorts by the index of the value in `words`. */
function word(read: Key['read'], words: readonly string[]): Key {
  const places = new Map<string | number, number>(words.map((each, place) => [each, place]));
  const placeOf = (value: string | number) => places.get(value) ?? words.length;
  return { read, compare: (a, b) => placeOf(a) - placeOf(b) };
}

function number(read: Key['read']): Key {
  return { read, compare: (a, b) => Number(a) - Number(b) };
}
