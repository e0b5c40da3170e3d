import { copyDevice } from '#adapters/memory/tables/device-table.ts';
import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { StoredAlert, World } from '#adapters/memory/tables/world.ts';
import type { AlertWriter } from '#application/ports/fleet/alert-writer.ts';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';
import type { Device } from '#domain/device/device.ts';
import type { ChangeableDevice } from '#domain/device/revise-device.ts';
import type { AlertId, DeviceId } from '#domain/ids.ts';

export function makeDeviceWriter(
  world: Pick<World, 'devices'>,
  scope: AccessScope,
  changed: Map<DeviceId, Device>,
  assertOpen: () => void,
): DeviceWriter {
  const find = (id: DeviceId): Device | null => {
    assertOpen();
    const device = changed.get(id) ?? world.devices.get(id);
    return device !== undefined && canReach(scope, device.orgId) ? device : null;
  };
  const read = (id: DeviceId): ChangeableDevice | null => {
    const device = find(id);
    if (device === null) return null;
    const { orgId, displayName, tags, custom, status } = copyDevice(device);
    return { id, orgId, displayName, tags, custom, status };
  };
  const write = ({ id, orgId, ...change }: Omit<ChangeableDevice, 'displayName'>) => {
    const device = find(id);
    if (device === null || device.orgId !== orgId) throw new Error(`there is no device ${id}`);
    changed.set(id, copyDevice({ ...device, ...change }));
  };
  return {
    findForUpdate: async (id) => read(id),
    replace: async (device) => write(device),
    hold: async (ids) => [...new Set(ids)].sort().flatMap((id) => read(id) ?? []),
    async replaceAll(devices) {
      for (const { displayName: _kept, ...device } of devices) write(device);
    },
  };
}

export function makeAlertWriter(
  world: Pick<World, 'devices'>,
  { alerts }: Pick<StagedTables, 'alerts'>,
  scope: AccessScope,
  changed: Map<DeviceId, Device>,
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
