/** Merges two devices that are one machine (Contract: §10, POST /devices/:id/merge). */
import { type CustomFieldDefinition, readCustomValue } from '#domain/filter/catalog/custom-field.ts';
import { joinKeys, type MachineKeys } from '#domain/inventory/machine-keys.ts';
import type { EpochMs } from '#domain/time.ts';
import type { CustomValue, Device } from './device.ts';
import type { ChangeableDevice } from './revise-device.ts';

export interface MergeableDevice
  extends ChangeableDevice,
    Pick<Device, 'hostname' | 'enrolledAt' | 'lastSeenAt'> {
  /** Present and past keys. */
  readonly keys: MachineKeys;
}

export interface DeviceMerge {
  /** The device that stays. */
  readonly device: ChangeableDevice & Pick<Device, 'enrolledAt'>;
  readonly gone: Pick<Device, 'id'>;
  /** Whether the removed device was seen last, so its reports replace those of `device`. */
  readonly takesReports: boolean;
  /** Present and past keys of both devices. */
  readonly keys: MachineKeys;
}

/**
 * `kept` keeps its status, display name, tags and custom values. `gone` adds its tags, a display name if
 * `kept` has none, and values of custom fields that `kept` lacks. Reports come from the device that was seen
 * last; in a tie, from `kept`. `definitions` are those of the devices' organization.
 */
export function mergeDevices(
  kept: MergeableDevice,
  gone: MergeableDevice,
  definitions: ReadonlyMap<string, CustomFieldDefinition>,
): DeviceMerge {
  const { id, orgId, status } = kept;
  const custom = new Map(kept.custom);
  for (const [key, value] of gone.custom) {
    if (isFit(definitions.get(key), value) && !isFit(definitions.get(key), kept.custom.get(key))) {
      custom.set(key, value);
    }
  }
  return {
    device: {
      ...{ id, orgId, status, custom },
      displayName: kept.displayName ?? gone.displayName,
      tags: [...new Set([...kept.tags, ...gone.tags])],
      enrolledAt: earlier(kept.enrolledAt, gone.enrolledAt),
    },
    gone: { id: gone.id },
    takesReports: (gone.lastSeenAt ?? NEVER) > (kept.lastSeenAt ?? NEVER),
    keys: joinKeys(kept.keys, gone.keys),
  };
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Without a definition, any value but null fits. */
function isFit(definition: CustomFieldDefinition | undefined, value: CustomValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  return definition === undefined || readCustomValue(definition.type, definition.choices, value) !== null;
}

function earlier(a: EpochMs | null, b: EpochMs | null): EpochMs | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
