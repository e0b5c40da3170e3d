import { sortInSlices } from '#adapters/memory/scheduling/slices.ts';
import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import { canReach } from '#domain/access/access-scope.ts';
import type { Device, InstalledSoftware } from '#domain/device/device.ts';
import { type DeviceAlert, type DevicePatch, toDeviceRow } from '#domain/device/device-row.ts';
import { type DevicePosition, positionOf, positionOrder } from '#domain/device/device-sort.ts';
import { ALERT_SEVERITIES, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import { ok } from '#domain/result.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { type EvaluationDeps, makeMatchInSlices } from './visit-devices.ts';

/** Keeps the first few of many items without sorting them all. */
export class TopItems<Item> {
  readonly #limit: number;
  readonly #compare: (a: Item, b: Item) => number;
  readonly #first: Item[] = [];
  #count = 0;

  constructor(limit: number, compare: (a: Item, b: Item) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** All items added, kept or not. */
  get count(): number {
    return this.#count;
  }

  get first(): readonly Item[] {
    return this.#first;
  }

  add(item: Item): void {
    this.#count++;
    const last = this.#first.at(-1);
    const isFull = this.#first.length >= this.#limit;
    if (isFull && (last === undefined || this.#compare(item, last) > 0)) return;
    this.#first.splice(this.#placeOf(item), 0, item);
    if (isFull) this.#first.pop();
  }

  #placeOf(item: Item): number {
    let low = 0;
    let high = this.#first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#first[middle];
      if (other !== undefined && this.#compare(other, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

type ReadWorld = Pick<World, 'devices' | 'organizations' | 'sites' | 'patches' | 'alerts'>;

interface DeviceReaderDeps extends EvaluationDeps {
  readonly world: ReadWorld;
}

interface Placed {
  readonly device: Device;
  readonly position: DevicePosition;
}

/** Above this limit, sorting all matches is cheaper than keeping the first ones in order. */
const MANY = 1_000;

export function makeDeviceReader(deps: DeviceReaderDeps): DeviceReader {
  const { world } = deps;
  const findMatches = makeMatchInSlices(deps);
  return {
    async page(request) {
      const { sort, limit, after, offset, withCount } = request;
      const comparePositions = positionOrder(sort);
      const compare = (a: Placed, b: Placed) => comparePositions(a.position, b.position);
      const end = offset + limit;
      const first = new TopItems<Placed>(Math.min(end, MANY), compare);
      const all: Placed[] = [];
      let totalCount = 0;
      for await (const slice of findMatches(request)) {
        if (!slice.ok) return slice;
        totalCount += slice.value.length;
        for (const device of slice.value) {
          const position = positionOf(device, sort);
          if (after !== null && comparePositions(position, after) <= 0) continue;
          if (end <= MANY) first.add({ device, position });
          else all.push({ device, position });
        }
      }
      const sorted = end <= MANY ? first.first : await sortInSlices(all, compare);
      return ok({
        devices: sorted.slice(offset, end).map(({ device }) => toDeviceRow(device)),
        totalCount: withCount ? totalCount : null,
      });
    },

    async find(scope, id) {
      const device = world.devices.get(id);
      if (device === undefined || !canReach(scope, device.orgId)) return null;
      const organization = world.organizations.get(device.orgId);
      if (organization === undefined) throw new Error('a device has no organization');
      const site = device.siteId === null ? undefined : world.sites.get(device.siteId);
      return {
        device: { ...copyDevice(device), software: byName(device.software) },
        organization: { id: organization.id, name: organization.name },
        site: site === undefined ? null : { id: site.id, name: site.name },
        patches: patchesOf(world, id),
        alerts: activeAlertsOf(world, id),
      };
    },
  };
}

function byName(software: readonly InstalledSoftware[]): readonly InstalledSoftware[] {
  const latest = new Map(software.map(({ name, version }) => [name, version]));
  return [...latest]
    .map(([name, version]) => ({ name, version }))
    .sort((a, b) => compareCodePoints(a.name, b.name));
}

function patchesOf({ patches }: ReadWorld, id: DeviceId): readonly DevicePatch[] {
  return patches
    .of(id)
    .map(({ title, status }) => ({ title, status }))
    .sort(
      (a, b) =>
        compareCodePoints(a.title, b.title) ||
        PATCH_STATUSES.indexOf(a.status) - PATCH_STATUSES.indexOf(b.status),
    );
}

function activeAlertsOf({ alerts }: ReadWorld, deviceId: DeviceId): readonly DeviceAlert[] {
  return [...alerts.values()]
    .filter((alert) => alert.deviceId === deviceId && alert.status === 'active')
    .map(({ id, title, message, severity, status, createdAt }) => ({
      id,
      title,
      message,
      severity,
      status,
      createdAt,
    }))
    .sort(
      (a, b) =>
        ALERT_SEVERITIES.indexOf(a.severity) - ALERT_SEVERITIES.indexOf(b.severity) || (a.id < b.id ? -1 : 1),
    );
}
