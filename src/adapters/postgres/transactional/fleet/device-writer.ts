import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DeviceRow,
  toChangeableDevice,
  toDeviceColumns,
} from '#adapters/postgres/transactional/entities/fleet-rows.ts';
import { FOR_UPDATE, inReach, lockSoon } from '#adapters/postgres/transactional/orm.ts';
import type { DeviceWriter } from '#application/ports/fleet/device-writer.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';

export function deviceWriter(em: EntityManager, scope: AccessScope): DeviceWriter {
  return {
    findForUpdate: async (id) => {
      const one = { id, ...inReach(scope) };
      const row = await lockSoon(em, () => em.findOne(DeviceRow, one, FOR_UPDATE));
      return row === null ? null : toChangeableDevice(row);
    },
    // A managed row's statement would carry the id but not the scope.
    replace: async (device) => {
      await em.flush();
      const { id, orgId } = device;
      const one = { $and: [{ id, orgId }, inReach(scope)] };
      const count = await em.nativeUpdate(DeviceRow, one, toDeviceColumns(device));
      if (count !== 1) throw new Error(`there is no device ${id}`);
    },
  };
}
