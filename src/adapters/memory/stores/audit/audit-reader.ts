import type { World } from '#adapters/memory/tables/world.ts';
import type { AuditReader } from '#application/ports/audit/audit-reader.ts';
import { isWithinReach } from '#domain/access/attribution.ts';

/** Entries are frozen, so they are returned without a copy. */
export function makeAuditReader(world: Pick<World, 'auditEntries'>): AuditReader {
  return async (scope, { action, actorId, resourceId, from, to, after, limit }) =>
    world.auditEntries
      .filter(
        (entry) =>
          isWithinReach(scope, entry) &&
          (action === null || entry.action === action) &&
          (actorId === null || entry.actor.id === actorId) &&
          (resourceId === null || entry.resourceId === resourceId) &&
          (from === null || entry.at >= from) &&
          (to === null || entry.at <= to) &&
          (after === null || entry.at < after.at || (entry.at === after.at && entry.id < after.id)),
      )
      .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .slice(0, limit);
}
