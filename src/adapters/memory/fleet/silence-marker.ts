/** Marks silent devices of the world. */
import type { World } from '#adapters/memory/tables/world.ts';
import type { SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import { isLasting } from '#domain/device/device.ts';

export function makeSilenceMarker({ devices, lock }: World): SilenceMarker {
  return (seenBefore, limit) =>
    lock(() => {
      let marked = 0;
      for (const [id, reportsSince] of devices.machines.reporting()) {
        if (marked === limit) break;
        const device = devices.get(id);
        if (device === undefined || device.status === 'offline' || isLasting(device.status)) continue;
        if ((device.lastSeenAt ?? reportsSince) >= seenBefore) continue;
        devices.put({ ...device, status: 'offline' });
        marked++;
      }
      return marked;
    });
}
