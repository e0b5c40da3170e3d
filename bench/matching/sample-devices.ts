/** Devices of the fleet as the domain has them. */
import type { Device } from '#domain/device/device.ts';
import { drawDevice } from '../fleet/fleet-device.ts';

/** Each has forty titles of software. */
export function sampleDevices(count: number): readonly Device[] {
  const plan = { size: '100k', devices: count, titlesPerDevice: 40 } as const;
  return Array.from({ length: count }, (_, n) => {
    const { kind: _kind, ...device } = drawDevice(plan, n);
    return {
      ...device,
      pendingPatchCount: device.patches?.filter(({ status }) => status === 'pending').length ?? 0,
      criticalAlertCount: 0,
    };
  });
}
