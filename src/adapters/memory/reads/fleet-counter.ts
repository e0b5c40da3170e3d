import { FairQueue, visitInSlices } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { CountRequest, FleetCounter } from '#application/ports/fleet/fleet-counter.ts';
import { canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { DevicePatch } from '#domain/device/device.ts';
import type { ListedPatch } from '#domain/fleet/fleet-lists.ts';
import type { PatchStatus } from '#domain/fleet/fleet-record.ts';
import { isUrgent, SummarySums, tallyDevice } from '#domain/fleet/fleet-summary.ts';
import { err, ok } from '#domain/result.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { selectAlerts } from './fleet-lists.ts';
import { TopItems } from './top-items.ts';

export interface FleetCounterDeps {
  readonly world: Pick<World, 'devices' | 'alerts' | 'organizations' | 'partners'>;
  /** A count that takes longer, including the wait in the queue, is refused. */
  readonly timeoutMs: number;
  readonly elapsedMs: () => number;
}

export function makeFleetCounter({ world, timeoutMs, elapsedMs }: FleetCounterDeps): FleetCounter {
  const queue = new FairQueue();
  const visit = <T>(
    { scope: _scope, ...work }: CountRequest,
    things: Iterable<T>,
    look: (thing: T) => void,
  ) => {
    const deadline = elapsedMs() + timeoutMs;
    return visitInSlices(things[Symbol.iterator](), look, { queue, deadline, elapsedMs, ...work });
  };
  const devicesOf = ({ scope }: CountRequest) => world.devices.snapshot(reachableOrgIds(scope));

  return {
    organizations: async ({ scope }) =>
      ok(
        [...world.organizations.values()]
          .filter(({ id }) => canReach(scope, id))
          .map(({ id, name, partnerId }) => ({
            id,
            name,
            partnerId,
            partnerName: world.partners.get(partnerId)?.name ?? '',
            deviceCount: world.devices.countOf(id),
          })),
      ),

    patches: async (request, { status, after, limit }) => {
      // The devices are read without a pause, so no write comes in between.
      const lists = Array.from(devicesOf(request), ({ patches }) => patches ?? []);
      const counts = new Map<string, Record<PatchStatus, number>>();
      const refusal = await visit(request, lists, (patches) => countPatches(counts, patches));
      if (refusal !== null) return err(refusal);
      const first = new TopItems<ListedPatch>(limit, (a, b) => compareCodePoints(a.title, b.title));
      for (const [title, count] of counts) {
        const isBehind = after === null || compareCodePoints(after, title) < 0;
        if (isBehind && (status === null || count[status] > 0)) first.add({ title, ...count });
      }
      return ok(first.first);
    },

    alerts: async (request, selection) => {
      const isSelected = selectAlerts(selection);
      let count = 0;
      const refusal = await visit(request, [...world.alerts.values()], (alert) => {
        if (canReach(request.scope, alert.orgId) && isSelected(alert)) count++;
      });
      return refusal === null ? ok(count) : err(refusal);
    },

    summary: async (request, since) => {
      const sums = new SummarySums();
      for (const alert of world.alerts.values()) {
        if (canReach(request.scope, alert.orgId) && isUrgent(alert)) {
          sums.addAlerts({ severity: alert.severity, alerts: 1 });
        }
      }
      const refusal = await visit(request, devicesOf(request), (device) =>
        sums.addDevices(tallyDevice(device, since)),
      );
      return refusal === null ? ok(sums.summary) : err(refusal);
    },
  };
}

function countPatches(
  counts: Map<string, Record<PatchStatus, number>>,
  patches: readonly DevicePatch[],
): void {
  const seen = new Set<string>();
  for (const { title, status } of patches) {
    const fact = `${status} ${title}`;
    if (seen.has(fact)) continue;
    seen.add(fact);
    const count = counts.get(title) ?? { pending: 0, installed: 0, failed: 0 };
    count[status]++;
    counts.set(title, count);
  }
}
