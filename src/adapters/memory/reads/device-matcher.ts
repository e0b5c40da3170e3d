import { type DeviceMatcher, MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import { canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder, type PreviewDevice } from '#domain/device/device-row.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok } from '#domain/result.ts';
import { TopItems } from './top-items.ts';
import { compileInSlices, type EvaluationDeps, makeMatchInSlices } from './visit-devices.ts';

export const ID_BATCH_SIZE = 1000;

export function makeDeviceMatcher(deps: EvaluationDeps): DeviceMatcher {
  const { world, translatePattern } = deps;
  const findMatches = makeMatchInSlices(deps);
  return {
    async preview(request, limit) {
      const matches = new TopItems<Device>(limit, comparePreviewOrder);
      for await (const slice of findMatches(request)) {
        if (!slice.ok) return slice;
        for (const device of slice.value) matches.add(device);
      }
      return ok({ totalCount: matches.count, devices: matches.first.map(toPreviewDevice) });
    },
    async matches({ filter, scope, at, signal }, id) {
      if (signal?.aborted) return err({ kind: 'cancelled' });
      const predicate = await compileInSlices(filter, translatePattern);
      if (!predicate.ok) return predicate;
      const device = world.devices.get(id);
      return ok(device !== undefined && canReach(scope, device.orgId) && predicate.value(device, at));
    },
    async *streamIds(request) {
      let batch: DeviceId[] = [];
      for await (const slice of findMatches(request)) {
        if (!slice.ok) throw new MatchStreamError(slice.error);
        for (const { id } of slice.value) {
          if (batch.push(id) < ID_BATCH_SIZE) continue;
          yield batch;
          batch = [];
          // If the reader gave up meanwhile, it needs no further batch.
          if (request.signal?.aborted) throw new MatchStreamError({ kind: 'cancelled' });
        }
      }
      if (batch.length > 0) yield batch;
    },
  };
}

function toPreviewDevice({ id, hostname, displayName, osType, status, lastSeenAt }: Device): PreviewDevice {
  return { id, hostname, displayName, osType, status, lastSeenAt };
}
