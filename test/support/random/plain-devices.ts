/** Devices as another store or a JSON file may have them: the same facts, written in one of many ways. */
import fc from 'fast-check';
import type { Device } from '#domain/device/device.ts';
import type { PlainDevice } from '#domain/filter/plain/read-plain-device.ts';

/** The device in some plain form; some come through JSON. */
export function randomPlainForm(device: Device): fc.Arbitrary<PlainDevice> {
  return fc
    .record({ draws: fc.array(fc.nat(5), { minLength: 1, maxLength: 60 }), isJson: fc.boolean() })
    .map(({ draws, isJson }) => {
      let drawn = 0;
      const plain = plainForm(device, () => draws[drawn++ % draws.length] ?? 0);
      if (!isJson) return plain;
      return JSON.parse(JSON.stringify({ ...plain, custom: Object.fromEntries(device.custom) }));
    });
}

/** Draws a number from 0 to 5, which decides how a member is written. */
type Draw = () => number;

function plainForm({ custom, ...device }: Device, draw: Draw): PlainDevice {
  const written = {
    ...device,
    orgId: draw() === 0 ? device.orgId.toUpperCase() : device.orgId,
    enrolledAt: writeInstant(device.enrolledAt, draw),
    lastSeenAt: writeInstant(device.lastSeenAt, draw),
    quarantinedAt: writeInstant(device.quarantinedAt, draw),
    hardware: leaveOut(device.hardware, draw),
    metrics: leaveOut(device.metrics, draw),
    network: device.network.map((row) => leaveOut(row, draw)),
    software: device.software.map((row) => leaveOut(row, draw)),
    custom: draw() < 3 ? custom : Object.fromEntries(custom),
    // Empty values say as much as null.
    ...(device.tags.length === 0 && { tags: null }),
    ...(device.network.length === 0 && { network: null }),
    ...(device.software.length === 0 && { software: null }),
    ...(custom.size === 0 && { custom: null }),
    ...(!device.rebootRequired && draw() < 4 && { rebootRequired: null }),
    ...(device.pendingPatchCount === 0 && draw() < 4 && { pendingPatchCount: null }),
    ...(device.criticalAlertCount === 0 && draw() < 4 && { criticalAlertCount: null }),
    ...(Object.values(device.hardware).every((value) => value === null) && { hardware: null }),
    ...(Object.values(device.metrics).every((value) => value === null) && { metrics: null }),
  };
  return leaveOut(written, draw) as PlainDevice;
}

/** Leaves some null members out, or makes them undefined. */
function leaveOut(whole: object, draw: Draw): object {
  const kept = Object.entries(whole).flatMap(([member, value]) => {
    if (value !== null) return [[member, value]];
    const drawn = draw();
    if (drawn < 3) return [];
    return [[member, drawn < 5 ? null : undefined]];
  });
  return Object.fromEntries(kept);
}

function writeInstant(instant: number | null, draw: Draw): number | string | null {
  return instant === null || draw() < 3 ? instant : new Date(instant).toISOString();
}
