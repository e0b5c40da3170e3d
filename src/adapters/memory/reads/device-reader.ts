import { sortInSlices } from '#adapters/memory/scheduling/slices.ts';
import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { DeviceReader, DeviceSample } from '#application/ports/fleet/device-reader.ts';
import { canReach, reachableOrgIds } from '#domain/access/access-scope.ts';
import type { Device, DevicePatch } from '#domain/device/device.ts';
import { comparePreviewOrder, type DeviceAlert, MAX_LISTED, toDeviceRow } from '#domain/device/device-row.ts';
import { type DevicePosition, positionOf, positionOrder } from '#domain/device/device-sort.ts';
import { softwareInOrder } from '#domain/device/installed-software.ts';
import { columnReader } from '#domain/export/export-column.ts';
import { ALERT_SEVERITIES, PATCH_STATUSES } from '#domain/fleet/fleet-record.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { KeyedDevice } from '#domain/inventory/find-duplicates.ts';
import { err, ok } from '#domain/result.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { namesIn } from './device-exporter.ts';
import { TopItems } from './top-items.ts';
import { compileInSlices, type EvaluationDeps, makeMatchInSlices, visitDevices } from './visit-devices.ts';

type ReadWorld = Pick<World, 'devices' | 'organizations' | 'sites' | 'alerts'>;

interface DeviceReaderDeps extends EvaluationDeps {
  readonly world: ReadWorld;
}

function toSample({ count, first }: TopItems<Device>): DeviceSample {
  return { count, devices: first.map(toDeviceRow) };
}

interface Placed {
  readonly device: Device;
  readonly position: DevicePosition;
}

export function makeDeviceReader(deps: DeviceReaderDeps): DeviceReader {
  const { world } = deps;
  const findMatches = makeMatchInSlices(deps);
  return {
    async page(request) {
      const { sort, limit, after, offset, withCount, columns } = request;
      const names = namesIn(world, request);
      const compare = positionOrder(sort);
      const found: Placed[] = [];
      let totalCount = 0;
      for await (const slice of findMatches(request)) {
        if (!slice.ok) return slice;
        totalCount += slice.value.length;
        for (const device of slice.value) {
          const position = positionOf(device, sort);
          if (after === null || compare(position, after) > 0) found.push({ device, position });
        }
      }
      const sorted = await sortInSlices(found, (a, b) => compare(a.position, b.position));
      const page = sorted.slice(offset, offset + limit).map(({ device }) => device);
      const readers = columns.map((column) => columnReader(column, names));
      return ok({
        devices: page.map(toDeviceRow),
        values: columns.length === 0 ? [] : page.map((device) => readers.map((read) => read(device))),
        totalCount: withCount ? totalCount : null,
      });
    },

    async compare({ before, after, limit, at, ...request }) {
      const counts = { before: 0, after: 0 };
      const entering = new TopItems<Device>(limit, comparePreviewOrder);
      const leaving = new TopItems<Device>(limit, comparePreviewOrder);
      const slices = visitDevices(deps, request, async () => {
        const [was, is] = [
          await compileInSlices(before, deps.translatePattern),
          await compileInSlices(after, deps.translatePattern),
        ];
        if (!was.ok) return was;
        if (!is.ok) return is;
        return ok((device: Device) => {
          const [matched, matches] = [was.value(device, at), is.value(device, at)];
          if (matched) counts.before += 1;
          if (matches) counts.after += 1;
          if (matches && !matched) entering.add(device);
          if (matched && !matches) leaving.add(device);
        });
      });
      for await (const refusal of slices) if (refusal !== null) return err(refusal);
      return ok({ ...counts, entering: toSample(entering), leaving: toSample(leaving) });
    },

    async keySharers({ scope }) {
      const devices: KeyedDevice[] = [];
      for (const device of world.devices.snapshot(reachableOrgIds(scope))) {
        const { id, orgId } = device;
        devices.push({
          id,
          orgId,
          hostname: foldCase(device.hostname),
          keys: world.devices.machines.keysOf(device),
        });
      }
      return ok(devices);
    },

    async find(scope, id) {
      const device = world.devices.get(id);
      if (device === undefined || !canReach(scope, device.orgId)) return null;
      const organization = world.organizations.get(device.orgId);
      if (organization === undefined) throw new Error('a device has no organization');
      const site = device.siteId === null ? undefined : world.sites.get(device.siteId);
      const { network, volumes, software: installed } = device;
      const software = softwareInOrder(installed);
      const patches = device.patches?.toSorted(byTitleAndStatus) ?? null;
      const alerts = activeAlertsOf(world, id);
      return {
        device: copyDevice({
          ...device,
          network: firstOf(network),
          volumes: firstOf(volumes),
          software: firstOf(software),
          patches: patches === null ? null : firstOf(patches),
        }),
        organization: { id: organization.id, name: organization.name },
        site: site === undefined ? null : { id: site.id, name: site.name },
        alerts: firstOf(alerts),
        totals: {
          network: network.length,
          volumes: volumes.length,
          software: software.length,
          patches: patches?.length ?? 0,
          alerts: alerts.length,
        },
      };
    },
  };
}

function byTitleAndStatus(a: DevicePatch, b: DevicePatch): number {
  return (
    compareCodePoints(a.title, b.title) || PATCH_STATUSES.indexOf(a.status) - PATCH_STATUSES.indexOf(b.status)
  );
}

function firstOf<T>(list: readonly T[]): readonly T[] {
  return list.slice(0, MAX_LISTED);
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
