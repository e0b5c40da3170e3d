import { FairQueue, visitInSlices } from '#adapters/memory/scheduling/slices.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { CompletionSource } from '#application/ports/filters/completion-source.ts';
import { type AccessScope, canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import { ownersInReach } from '#domain/access/ownership.ts';
import type { Device } from '#domain/device/device.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { ValueSource } from '#domain/filter/text/complete/complete-filter-text.ts';
import { versionKey } from '#domain/filter/values/version-key.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { containsFolded, foldCase, startsWithFolded } from '#domain/text/fold-case.ts';
import { TopItems } from './top-items.ts';

type CompletedWorld = Pick<World, 'devices' | 'organizations' | 'sites' | 'filters'>;

export interface CompletionSourceDeps {
  readonly world: CompletedWorld;
  /** After this time, including the wait in the queue, a completion returns the values found so far, without counts. */
  readonly timeoutMs: number;
  readonly elapsedMs: () => number;
}

export function makeCompletionSource({
  world,
  timeoutMs,
  elapsedMs,
}: CompletionSourceDeps): CompletionSource {
  const queue = new FairQueue();
  return async ({ source, title, typed, scope, limit, onBehalfOf, signal }) => {
    const deadline = elapsedMs() + timeoutMs;
    const counts = new Map(namesOf(world, scope, source).map((name) => [name, 0]));
    const count = (device: Device) => {
      for (const value of valuesOf(world, device, source, title))
        counts.set(value, (counts.get(value) ?? 0) + 1);
    };
    const devices = world.devices.snapshot(reachableOrgIds(scope));
    const refusal = await visitInSlices(devices, count, { queue, onBehalfOf, signal, deadline, elapsedMs });
    return best(counts, foldCase(typed), limit).map(({ value, devices: counted }) => ({
      value,
      devices: refusal === null ? counted : null,
    }));
  };
}

function namesOf({ organizations, sites, filters }: CompletedWorld, scope: AccessScope, source: ValueSource) {
  if (source === 'organizations') {
    return [...organizations.values()].filter(({ id }) => canReach(scope, id)).map(({ name }) => name);
  }
  if (source === 'filters') {
    const isInReach = ownersInReach(scope, (orgId) => organizations.get(orgId)?.partnerId);
    return [...filters.values()].filter((filter) => isInReach(ownerOfFilter(filter))).map(({ name }) => name);
  }
  if (source !== 'sites') return [];
  return [...sites.values()].filter(({ orgId }) => canReach(scope, orgId)).map(({ name }) => name);
}

function valuesOf(
  { organizations, sites }: CompletedWorld,
  device: Device,
  source: ValueSource,
  title: string | undefined,
): Set<string> {
  switch (source) {
    case 'tags':
      return new Set(device.tags);
    case 'software':
      return new Set(device.software.map(({ name }) => name));
    case 'softwareVersions':
      return new Set(
        device.software.flatMap(({ name, version }) =>
          foldCase(name) === title && version !== null && versionKey(version) !== null ? version : [],
        ),
      );
    case 'agentVersions':
      return present(device.agentVersion ?? undefined);
    case 'osVersions':
      return present(device.osVersion ?? undefined);
    case 'organizations':
      return present(organizations.get(device.orgId)?.name);
    // A filter's devices are unknown before it is evaluated.
    case 'filters':
      return new Set();
    case 'sites':
      return present(device.siteId === null ? undefined : sites.get(device.siteId)?.name);
  }
}

function present(name: string | undefined): Set<string> {
  return new Set(name === undefined ? [] : [name]);
}

interface Counted {
  readonly value: string;
  readonly devices: number;
  readonly isBegun: boolean;
}

function best(counts: ReadonlyMap<string, number>, folded: string, limit: number): readonly Counted[] {
  const contains = containsFolded(folded);
  const begins = startsWithFolded(folded);
  const top = new TopItems<Counted>(limit, compareCounted);
  for (const [value, devices] of counts) {
    if (contains(value)) top.add({ value, devices, isBegun: begins(value) });
  }
  return top.first;
}

function compareCounted(a: Counted, b: Counted): number {
  return (
    Number(b.isBegun) - Number(a.isBegun) || b.devices - a.devices || compareCodePoints(a.value, b.value)
  );
}
