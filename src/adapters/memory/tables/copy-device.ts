import type { CustomValue, Device } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { jsonText } from '#domain/text/json-text.ts';

/** A deep copy that shares no array, object or map with the original. */
export function copyDevice(device: Device): Device {
  return {
    ...device,
    tags: [...device.tags],
    hardware: { ...device.hardware },
    metrics: { ...device.metrics },
    network: device.network.map((row) => ({ ...row })),
    software: device.software.map((row) => ({ ...row })),
    custom: new Map([...device.custom].map(([key, value]) => [key, copyCustomValue(value)])),
  };
}

/** Converts a record of a load file and counts its patches. The caller counts the alerts. */
export function toDevice(
  { kind: _kind, patches, ...device }: DeviceRecord,
  criticalAlertCount: number,
): Device {
  const pendingPatchCount = patches.filter(({ status }) => status === 'pending').length;
  return copyDevice({ ...device, pendingPatchCount, criticalAlertCount });
}

/**
 * Values can be nested deeper than structuredClone allows (about 1,700 levels in Node 26); JSON has no such limit.
 */
function copyCustomValue(value: CustomValue): CustomValue {
  return typeof value === 'object' && value !== null ? JSON.parse(jsonText(value)) : value;
}
