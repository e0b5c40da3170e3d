/** What people change of devices, on PostgreSQL. Triggers keep what searches read (`device_search`). */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceId } from '#domain/ids.ts';
import { DeviceRow, toChangeableDevice, toDeviceRow } from './entities/device-row.ts';
import { inReach } from './in-reach.ts';
import { FOR_UPDATE } from './row-locks.ts';

/** The devices of one transaction. */
export function deviceWriter(em: EntityManager, scope: AccessScope): DeviceWriter {
  const hold = (id: DeviceId) => em.findOne(DeviceRow, { id, ...inReach(scope) }, FOR_UPDATE);
  return {
    findForUpdate: async (id) => {
      const row = await hold(id);
      return row === null ? null : toChangeableDevice(row);
    },
    replace: async (device) => {
      const row = await hold(device.id);
      if (row === null || row.orgId !== device.orgId) throw new Error(`there is no device ${device.id}`);
      em.assign(row, toDeviceRow(device), { mergeObjectProperties: false });
    },
  };
}
