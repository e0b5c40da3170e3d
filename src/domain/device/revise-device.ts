/** Changes that people make to a device (Contract: §10, PATCH /devices/:id). Agents report its other members. */

import { digestText } from '#domain/text/digest-text.ts';
import { type CustomValue, type Device, type DeviceStatus, isLasting } from './device.ts';

/** Statuses that people can set. `offline` ends with the next report; the others last. */
export const HAND_SET_STATUSES = [
  'maintenance',
  'decommissioned',
  'offline',
] as const satisfies readonly DeviceStatus[];

/** The members of a device that people can change. */
export type ChangeableDevice = Pick<Device, 'id' | 'orgId' | 'displayName' | 'tags' | 'custom' | 'status'>;

/** Absent members stay unchanged. */
export interface DeviceChange {
  readonly displayName?: string | null;
  readonly tags?: readonly string[];
  /** By key. Null removes a value; absent keys keep theirs. */
  readonly custom?: ReadonlyMap<string, string | number | boolean | null>;
  readonly status?: (typeof HAND_SET_STATUSES)[number];
}

export interface DeviceRevision {
  readonly device: ChangeableDevice;
  /** Names of changed members, custom fields as `custom.<key>`. */
  readonly changed: readonly string[];
}

/** Applies the change. */
export function reviseDevice(device: ChangeableDevice, change: DeviceChange): DeviceRevision {
  const changed: string[] = [];
  const { displayName = device.displayName, tags = device.tags, status = device.status } = change;
  if (displayName !== device.displayName) changed.push('displayName');
  if (!isSameList(tags, device.tags)) changed.push('tags');
  const custom = new Map<string, CustomValue>(device.custom);
  for (const [key, value] of change.custom ?? []) {
    if ((custom.get(key) ?? null) === value) continue;
    changed.push(`custom.${key}`);
    if (value === null) custom.delete(key);
    else custom.set(key, value);
  }
  if (status !== device.status) changed.push('status');
  return { device: { ...device, displayName, tags, custom, status }, changed };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

export type RevisedDevice = Pick<Device, 'displayName' | 'tags' | 'custom' | 'status'>;

/**
 * For the ETag: 16 hexadecimal digits, a hash of what people can change (Contract: §10). Reports do not
 * change the hash. Neither does `offline`, because it ends with the next report.
 */
export function deviceRevision({ displayName, tags, custom, status }: RevisedDevice): string {
  const values = [...custom].sort(([a], [b]) => (a < b ? -1 : 1));
  return digestText(JSON.stringify([displayName, tags, values, isLasting(status) ? status : null]));
}
