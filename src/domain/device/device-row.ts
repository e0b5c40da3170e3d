import {
  type CustomFieldDefinition,
  definitionsIn,
  readCustomValue,
} from '#domain/filter/catalog/custom-field.ts';
import type { AlertRecord, CustomFieldType } from '#domain/fleet/fleet-record.ts';
import type { OrgId, SiteId } from '#domain/ids.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Device, DeviceHardware } from './device.ts';

/** Fields that a row takes from the device under the same names. */
export const LISTED_FIELDS = [
  'id',
  'orgId',
  'siteId',
  'hostname',
  'displayName',
  'status',
  'osType',
  'osVersion',
  'deviceRole',
  'lastUser',
  'tags',
  'lastSeenAt',
  'enrolledAt',
] as const satisfies readonly (keyof Device)[];
const LISTED = [...LISTED_FIELDS, 'metrics', 'rebootRequired'] as const;
type Listed = Pick<Device, (typeof LISTED)[number]>;

export interface DeviceRow extends Listed {
  readonly patchesPending: boolean;
  readonly alertsCritical: boolean;
}

/** Copies the lists, so the row does not share them with the device. */
export function toDeviceRow(device: Device): DeviceRow {
  return {
    ...(Object.fromEntries(LISTED.map((member) => [member, device[member]])) as Listed),
    tags: [...device.tags],
    metrics: { ...device.metrics },
    patchesPending: device.pendingPatchCount > 0,
    alertsCritical: device.criticalAlertCount > 0,
  };
}

/** An active alert (Contract: §10). */
export interface DeviceAlert extends Pick<AlertRecord, 'id' | 'title' | 'message' | 'severity' | 'status'> {
  readonly createdAt: EpochMs;
}

/** The maximum length of each list in `DeviceDetails` (Contract: §10). */
export const MAX_LISTED = 1_000;

/** The lists of a device that are cut at `MAX_LISTED`. */
export type DeviceList = 'network' | 'volumes' | 'software' | 'patches' | 'alerts';

export interface DeviceDetails {
  /**
   * `device.software` is sorted by name, then version. `device.patches` is sorted by title in code point order,
   * then by status: pending, installed, failed.
   */
  readonly device: Device;
  readonly organization: { readonly id: OrgId; readonly name: string };
  readonly site: { readonly id: SiteId; readonly name: string } | null;
  /** Active alerts, most severe first, then by id. */
  readonly alerts: readonly DeviceAlert[];
  /** The lengths of the lists before they are cut. */
  readonly totals: Readonly<Record<DeviceList, number>>;
}

export interface DeviceCustomField {
  readonly key: string;
  readonly name: string;
  readonly type: CustomFieldType;
  /** Null if absent or not allowed by the definition. A date stays as written. */
  readonly value: string | number | boolean | null;
}

/** Sorted by key. The organization's definition of a key takes precedence over its partner's. */
export function customFieldsOf(
  { orgId, custom }: Pick<Device, 'orgId' | 'custom'>,
  definitions: readonly CustomFieldDefinition[],
): readonly DeviceCustomField[] {
  return [...definitionsIn(orgId, definitions).values()]
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ key, label, type, choices }) => {
      const stored = custom.get(key);
      // Lists and objects fit no definition.
      const isFit = typeof stored !== 'object' && readCustomValue(type, choices, stored) !== null;
      return { key, name: label, type, value: isFit ? (stored ?? null) : null };
    });
}

/** Whether any member was reported. */
export function hasHardware(hardware: DeviceHardware): boolean {
  return Object.values(hardware).some((value) => value !== null);
}

/** Spec: Preview result. */
export type PreviewDevice = Pick<
  Device,
  'id' | 'hostname' | 'displayName' | 'osType' | 'status' | 'lastSeenAt'
>;

/** By lower-cased hostname in code point order, then id, across all organizations (Contract: §5). */
export function comparePreviewOrder(a: Device, b: Device): number {
  return compareCodePoints(foldCase(a.hostname), foldCase(b.hostname)) || compareCodePoints(a.id, b.id);
}
