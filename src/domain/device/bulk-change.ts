/** One change of many devices, and its undoing (Contract: §10, POST /devices/bulk). */
import type { DeviceId, OrgId } from '#domain/ids.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { CustomValue, DeviceStatus } from './device.ts';
import {
  type ChangeableDevice,
  type DeviceChange,
  type DeviceRevision,
  reviseDevice,
} from './revise-device.ts';

export interface BulkChange extends Pick<DeviceChange, 'custom' | 'status'> {
  /** Appended to the device's own tags. */
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
}

export const UNDO_MS = 10 * MINUTE_MS;

export function applyBulkChange(device: ChangeableDevice, change: BulkChange): DeviceRevision {
  const { addTags, removeTags, ...rest } = change;
  const kept = device.tags.filter((tag) => !removeTags.includes(tag));
  return reviseDevice(device, { ...rest, tags: [...kept, ...addTags.filter((tag) => !kept.includes(tag))] });
}

/** Values by their names in `DeviceRevision.changed`. A custom value that was absent is null. */
export type FieldValues = Readonly<Record<string, CustomValue>>;

export interface ChangedDevice {
  readonly deviceId: DeviceId;
  readonly orgId: OrgId;
  readonly before: FieldValues;
  readonly after: FieldValues;
}

export function rememberChange(before: ChangeableDevice, { device, changed }: DeviceRevision): ChangedDevice {
  const valuesIn = (read: ChangeableDevice) =>
    Object.fromEntries(changed.map((name) => [name, readValue(read, name)]));
  return { deviceId: device.id, orgId: device.orgId, before: valuesIn(before), after: valuesIn(device) };
}

/** Restores only those values that are still as the bulk change left them. */
export function undoChange(device: ChangeableDevice, { before, after }: ChangedDevice): DeviceRevision {
  const changed = Object.keys(after).filter((name) => isSame(readValue(device, name), after[name]));
  const custom = new Map(device.custom);
  let { tags, status } = device;
  for (const name of changed) {
    const value = before[name] ?? null;
    if (name === 'tags') tags = value as readonly string[];
    else if (name === 'status') status = value as DeviceStatus;
    else if (value === null) custom.delete(keyOf(name));
    else custom.set(keyOf(name), value);
  }
  return { device: { ...device, tags, status, custom }, changed };
}

function readValue({ tags, status, custom }: ChangeableDevice, name: string): CustomValue {
  if (name === 'tags') return tags;
  return name === 'status' ? status : (custom.get(keyOf(name)) ?? null);
}

function keyOf(name: string): string {
  return name.slice('custom.'.length);
}

/** Comparing JSON is enough, because changed fields hold scalars or lists of strings. */
function isSame(now: CustomValue, left: CustomValue | undefined): boolean {
  return now === left || (Array.isArray(left) && JSON.stringify(now) === JSON.stringify(left));
}
