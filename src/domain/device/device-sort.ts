/**
 * The orders in which devices are listed (Contract: §10). Each is total, so that a page can go on right behind a
 * device, whether that is still there or not.
 */
import type { DeviceId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { sortedName } from '#domain/text/sorted-name.ts';
import { DEVICE_ROLES, DEVICE_STATUSES, type Device, OS_TYPES } from './device.ts';

/** What lists can be sorted by (Contract: §10). */
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

/** Every order, as `parseDeviceSort` takes it. */
export const DEVICE_SORTS: readonly string[] = DEVICE_SORT_KEYS.flatMap((key) => [key, `-${key}`]);

/**
 * Descending turns the key round and nothing else: devices without a value come last and ties are in the order of
 * previews, either way.
 */
export interface DeviceSort {
  readonly key: DeviceSortKey;
  readonly isDescending: boolean;
}

/** The order of previews. */
export const DEFAULT_DEVICE_SORT: DeviceSort = { key: 'hostname', isDescending: false };

/** A text is folded, or a word of an enumeration; a number is itself, or an instant. */
export type SortValue = string | number | null;

/** The place of a device in an order. */
export interface DevicePosition {
  /** By the key of the sort; the folded hostname if that is the key. */
  readonly value: SortValue;
  /** Folded. */
  readonly hostname: string;
  readonly id: DeviceId;
}

/** What orders are made of; rows of lists have it, too. */
export type SortedDevice = Pick<
  Device,
  | 'id'
  | 'hostname'
  | 'displayName'
  | 'status'
  | 'osType'
  | 'deviceRole'
  | 'lastSeenAt'
  | 'enrolledAt'
  | 'metrics'
>;

/** For example `lastSeenAt`, or `-lastSeenAt` for descending; null for anything else. */
export function parseDeviceSort(text: string): DeviceSort | null {
  const isDescending = text.startsWith('-');
  const name = isDescending ? text.slice(1) : text;
  const key = DEVICE_SORT_KEYS.find((known) => known === name);
  return key === undefined ? null : { key, isDescending };
}

/** The sort as `parseDeviceSort` takes it. */
export function printDeviceSort({ key, isDescending }: DeviceSort): string {
  return `${isDescending ? '-' : ''}${key}`;
}

/** Where the device is in the orders by this key. */
export function positionOf(device: SortedDevice, { key }: Pick<DeviceSort, 'key'>): DevicePosition {
  return { value: KEYS[key].read(device), hostname: foldCase(device.hostname), id: device.id };
}

/** Compares two places in the order of the sort; they are equal only for one and the same device. */
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
    return compareCodePoints(a.hostname, b.hostname) || compareIds(a.id, b.id);
  };
}

/** How a key is read from a device, and how two values of it compare. */
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

/** In the order in which the words are listed. */
function word(read: Key['read'], words: readonly string[]): Key {
  const places = new Map<string | number, number>(words.map((each, place) => [each, place]));
  const placeOf = (value: string | number) => places.get(value) ?? words.length;
  return { read, compare: (a, b) => placeOf(a) - placeOf(b) };
}

function number(read: Key['read']): Key {
  return { read, compare: (a, b) => Number(a) - Number(b) };
}

function compareIds(a: DeviceId, b: DeviceId): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
