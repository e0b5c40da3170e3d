import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { StoredAlert, World } from '#adapters/memory/tables/world.ts';
import type { AlertWriter } from '#application/ports/fleet/alert-writer.ts';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { DeviceMerge } from '#domain/device/merge-devices.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { AlertId, DeviceId } from '#domain/ids.ts';
import { joinKeys } from '#domain/inventory/machine-keys.ts';

export interface DeviceChanges {
  readonly devices: Map<DeviceId, Device | null>;
  readonly others: (() => void)[];
}

type Tables = Pick<World, 'devices' | 'patches' | 'alerts'>;

export function makeDeviceWriter(
  world: Tables,
  scope: AccessScope,
  changes: DeviceChanges,
  assertOpen: () => void,
): DeviceWriter {
  const find = (id: DeviceId): Device | null => {
    assertOpen();
    const changed = changes.devices.get(id);
    const device = changed === undefined ? world.devices.get(id) : changed;
    return device != null && canReach(scope, device.orgId) ? device : null;
  };
  const mustFind = ({ id, orgId }: Pick<ChangeableDevice, 'id' | 'orgId'>): Device => {
    const device = find(id);
    if (device === null || device.orgId !== orgId) throw new Error(`there is no device ${id}`);
    return device;
  };
  const read = (device: Device): ChangeableDevice => {
    const { id, orgId, displayName, tags, custom, status } = copyDevice(device);
    return { id, orgId, displayName, tags, custom, status };
  };
  const readAll = (ids: readonly DeviceId[]): readonly Device[] =>
    [...new Set(ids)].sort().flatMap((id) => find(id) ?? []);
  const write = ({ id, orgId, ...change }: Omit<ChangeableDevice, 'displayName'>) => {
    changes.devices.set(id, copyDevice({ ...mustFind({ id, orgId }), ...change }));
  };
  return {
    findForUpdate: async (id) => readAll([id]).map(read)[0] ?? null,
    replace: async (device) => write(device),
    hold: async (ids) => readAll(ids).map(read),
    async replaceAll(devices) {
      for (const { displayName: _kept, ...device } of devices) write(device);
    },
    async findAllForUpdate(ids) {
      return readAll(ids).map((device) => {
        const { hostname, enrolledAt, lastSeenAt } = device;
        const keys = world.devices.machines.keysOf(device);
        return { ...read(device), hostname, enrolledAt, lastSeenAt, keys };
      });
    },
    async merge(merge) {
      const kept = mustFind(merge.device);
      const gone = mustFind({ id: merge.gone.id, orgId: kept.orgId });
      changes.devices.set(kept.id, copyDevice(merged(kept, gone, merge)));
      changes.devices.set(gone.id, null);
      changes.others.push(() => moveRest(world, kept, gone, merge));
    },
    async remove(one) {
      const device = mustFind(one);
      changes.devices.set(device.id, null);
      changes.others.push(() => {
        world.patches.replace(device.id, []);
        for (const { id, deviceId } of world.alerts.values())
          if (deviceId === device.id) world.alerts.delete(id);
      });
    },
  };
}

/** Values that people set come from `kept`. The machine's reports come from `gone` if `takesReports`. */
function merged(kept: Device, gone: Device, { device, takesReports }: DeviceMerge): Device {
  const { siteId, quarantinedAt } = kept;
  return {
    ...(takesReports ? gone : kept),
    ...device,
    ...{ siteId, quarantinedAt },
    criticalAlertCount: kept.criticalAlertCount + gone.criticalAlertCount,
  };
}

/** Must run before `gone` is removed, because its machine is removed with it. */
function moveRest(
  { devices: { machines }, patches, alerts }: Tables,
  kept: Device,
  gone: Device,
  { takesReports, keys }: DeviceMerge,
): void {
  const [of, its] = [machines.get(kept.id), machines.get(gone.id)];
  const firstReports = [of.reportsSince, its.reportsSince].filter((at) => at !== null);
  machines.put(kept.orgId, kept.id, {
    ...(takesReports ? its : of),
    inventoryIds: of.inventoryIds.union(its.inventoryIds),
    remembered: joinKeys(of.remembered, keys),
    reportsSince: firstReports.length === 0 ? null : Math.min(...firstReports),
  });
  for (const alert of alerts.values()) {
    if (alert.deviceId === gone.id) alerts.set(alert.id, { ...alert, deviceId: kept.id });
  }
  if (takesReports) patches.replace(kept.id, patches.of(gone.id));
  patches.replace(gone.id, []);
}

export function makeAlertWriter(
  world: Pick<World, 'devices'>,
  { alerts }: Pick<StagedTables, 'alerts'>,
  scope: AccessScope,
  changed: Map<DeviceId, Device | null>,
): AlertWriter {
  const find = (id: AlertId): StoredAlert | null => {
    const alert = alerts.get(id);
    return alert !== null && canReach(scope, alert.orgId) ? alert : null;
  };
  const countsAs = ({ severity, status }: StoredAlert) =>
    severity === 'critical' && status === 'active' ? 1 : 0;
  return {
    async findForUpdate(id) {
      const alert = find(id);
      return alert && { id, orgId: alert.orgId, status: alert.status };
    },
    async setStatus(id, status) {
      const before = find(id);
      if (before === null) throw new Error(`there is no alert ${id}`);
      const after = { ...before, status };
      alerts.set(id, after);
      const { deviceId } = before;
      const device = deviceId === null ? undefined : (changed.get(deviceId) ?? world.devices.get(deviceId));
      const change = countsAs(after) - countsAs(before);
      if (device === undefined || change === 0) return;
      changed.set(
        device.id,
        copyDevice({ ...device, criticalAlertCount: device.criticalAlertCount + change }),
      );
    },
  };
}
