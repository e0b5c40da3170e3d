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
      bulkChanges.set(change.id, structuredClone(change));
    },
    async findForUpdate(id, by, now) {
      const change = bulkChanges.get(id);
      if (change === null || change.expiresAt <= now) return null;
      if (change.by.type !== by.type || change.by.id !== by.id) return null;
      if (!change.orgIds.some((orgId) => canReach(scope, orgId))) return null;
      const reached = change.devices.filter(({ orgId }) => canReach(scope, orgId));
      const devices = reached.filter(({ deviceId }) => world.devices.get(deviceId) !== undefined);
      return { devices: structuredClone(devices), remaining: reached.length };
    },
    async forget(id, devices) {
      const change = bulkChanges.get(id);
      if (change === null) return;
      const gone = new Set(devices.map(({ deviceId }) => deviceId));
      bulkChanges.set(id, {
        ...change,
        devices: change.devices.filter(({ deviceId }) => !gone.has(deviceId)),
      });
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
