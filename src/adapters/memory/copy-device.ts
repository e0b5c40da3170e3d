/** Devices as rows of the world: copies all the way down. */
import type { Device } from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';

/** A copy that shares no array, object or map with the original. */
export function copyDevice(device: Device): Device {
  return {
    ...device,
    tags: [...device.tags],
    hardware: { ...device.hardware },
    metrics: { ...device.metrics },
    network: device.network.map((row) => ({ ...row })),
    software: device.software.map((row) => ({ ...row })),
    // Values may be lists and objects.
    custom: structuredClone(device.custom),
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
