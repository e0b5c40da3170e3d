import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { BulkChangeRemover, BulkChangeWriter } from '#application/ports/fleet/bulk-change-store.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';

export function makeBulkChangeWriter(
  world: Pick<World, 'devices'>,
  { bulkChanges }: Pick<StagedTables, 'bulkChanges'>,
  scope: AccessScope,
): BulkChangeWriter {
  return {
    async remember(change) {
      if (!change.orgIds.every((orgId) => canReach(scope, orgId))) throw new Error('out of reach');
      bulkChanges.set(change.id, { ...structuredClone(change), remaining: change.devices.length });
    },
    async findForUpdate(id, by, now) {
      const change = bulkChanges.get(id);
      if (change === null || change.expiresAt <= now) return null;
      if (change.by.type !== by.type || change.by.id !== by.id) return null;
      if (!change.orgIds.some((orgId) => canReach(scope, orgId))) return null;
      const devices = change.devices.filter(
        ({ deviceId, orgId }) => canReach(scope, orgId) && world.devices.get(deviceId) !== undefined,
      );
      return { devices: structuredClone(devices), remaining: change.remaining };
    },
    async forget(id, devices) {
      const change = bulkChanges.get(id);
      if (change === null) return;
      const gone = new Set(devices.map(({ deviceId }) => deviceId));
      const left = change.devices.filter(({ deviceId }) => !gone.has(deviceId));
      const remaining = change.remaining - (change.devices.length - left.length);
      bulkChanges.set(id, { ...change, devices: left, remaining });
    },
  };
}

export function makeBulkChangeRemover({ bulkChanges }: Pick<World, 'bulkChanges'>): BulkChangeRemover {
  return async (now, limit) => {
    const over = [...bulkChanges.values()].filter(({ expiresAt }) => expiresAt <= now).slice(0, limit);
    for (const { id } of over) bulkChanges.delete(id);
    return over.length;
  };
}
