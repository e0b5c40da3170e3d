/** What people change of a device (Contract: §10, PATCH /devices/:id); the rest is reported by the device itself. */
import type { CustomValue, Device, DeviceStatus } from './device.ts';

/** Statuses that can be set by hand. The last one ends with the next report, the others stay (`isLasting`). */
export const HAND_SET_STATUSES = [
  'maintenance',
  'decommissioned',
  'offline',
] as const satisfies readonly DeviceStatus[];

/** A device as far as people change it. */
export type ChangeableDevice = Pick<Device, 'id' | 'orgId' | 'displayName' | 'tags' | 'custom' | 'status'>;

/** What is absent stays. */
export interface DeviceChange {
  readonly displayName?: string | null;
  readonly tags?: readonly string[];
  /** By field key, null to remove a value; keys that are not named keep theirs. */
  readonly custom?: ReadonlyMap<string, string | number | boolean | null>;
  readonly status?: (typeof HAND_SET_STATUSES)[number];
}

/** What a change made of a device. */
export interface DeviceRevision {
  readonly device: ChangeableDevice;
  /** The names of what differs, custom fields as `custom.<key>`; none if the device is as it was. */
  readonly changed: readonly string[];
}

/** The device with the change applied. */
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
