/** Devices as rows of the world: copies all the way down. */
import type { CustomValue, Device } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { jsonText } from '#domain/text/json-text.ts';

/** A copy that shares no array, object or map with the original. */
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

/** A device of the load file, with its patches counted. Its alerts are counted elsewhere. */
export function toDevice(
  { kind: _kind, patches, ...device }: DeviceRecord,
  criticalAlertCount: number,
): Device {
  const pendingPatchCount = patches.filter(({ status }) => status === 'pending').length;
  return copyDevice({ ...device, pendingPatchCount, criticalAlertCount });
}

/** Lists and objects may be nested deeper than structuredClone goes (some 1,700 levels in Node 26); JSON walks any depth. */
function copyCustomValue(value: CustomValue): CustomValue {
  return typeof value === 'object' && value !== null ? JSON.parse(jsonText(value)) : value;
}
