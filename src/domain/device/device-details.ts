/** A device with all that belongs to it (Contract: §10, GET /devices/:id). */
import {
  type CustomFieldDefinition,
  definitionsIn,
  readCustomValue,
} from '#domain/filter/catalog/custom-field.ts';
import type { AlertRecord, CustomFieldType, Patch } from '#domain/fleet/fleet-record.ts';
import type { OrgId, SiteId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/compare-code-points.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Device, DeviceHardware } from './device.ts';

/** A patch by what it is called; of several devices, each has one of its own. */
export type DevicePatch = Pick<Patch, 'title' | 'status'>;

/** An active alert of a device. */
export interface DeviceAlert extends Pick<AlertRecord, 'id' | 'title' | 'message' | 'severity' | 'status'> {
  readonly createdAt: EpochMs;
}

/** The device and the rows around it. */
export interface DeviceDetails {
  readonly device: Device;
  readonly organization: { readonly id: OrgId; readonly name: string };
  readonly site: { readonly id: SiteId; readonly name: string } | null;
  /** By title in code point order, then status: pending, installed, failed. */
  readonly patches: readonly DevicePatch[];
  /** Those that are active, the most severe first, then by id. */
  readonly alerts: readonly DeviceAlert[];
}

/** A custom field of the device's organization, with the device's value. */
export interface DeviceCustomField {
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** As it is stored, a date as it was written; null if there is none, or it does not fit the definition. */
  readonly value: string | number | boolean | null;
}

/**
 * The custom fields of the device, by key, from the definitions in its organization. The organization's own
 * definition of a key takes precedence over its partner's.
 */
export function customFieldsOf(
  { orgId, custom }: Pick<Device, 'orgId' | 'custom'>,
  definitions: readonly CustomFieldDefinition[],
): readonly DeviceCustomField[] {
  return [...definitionsIn(orgId, definitions).values()]
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ key, label, type, choices }) => {
      const stored = custom.get(key);
      // No definition fits a list or an object.
      const isFit = typeof stored !== 'object' && readCustomValue(type, choices, stored) !== null;
      return { key, name: label, type, value: isFit ? (stored ?? null) : null };
    });
}

/** Whether any of it was ever reported. */
export function hasHardware(hardware: DeviceHardware): boolean {
  return Object.values(hardware).some((value) => value !== null);
}
