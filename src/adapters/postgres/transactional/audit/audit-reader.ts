import { withinReach } from '#adapters/postgres/transactional/attribution-filter.ts';
import { AuditRow, toAuditEntry } from '#adapters/postgres/transactional/entities/audit-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { AuditPosition, AuditReader } from '#application/ports/audit/audit-reader.ts';

export function makeAuditReader(orm: Orm): AuditReader {
  return (scope, { action, actorId, resourceId, from, to, after, limit }) =>
    orm.withScope(scope, async (em) => {
      await em.execute(PREFER_EXACT_INDEXES);
      const rows = await em.find(
        AuditRow,
        {
          $and: [
            withinReach(scope),
            ...(action === null ? [] : [{ action }]),
            ...(actorId === null ? [] : [{ actorId }]),
            ...(resourceId === null ? [] : [{ resourceId }]),
            ...(from === null ? [] : [{ at: { $gte: new Date(from) } }]),
            ...(to === null ? [] : [{ at: { $lte: new Date(to) } }]),
            ...(after === null ? [] : [olderThan(after)]),
          ],
        },
        { orderBy: { at: 'desc', id: 'desc' }, limit },
      );
      return rows.map(toAuditEntry);
    });
}

/**
 * The planner takes action, actor and tenant for independent and scans a coarser index, in vain if nothing matches.
 * At this cost it chooses the exact index.
 */
const PREFER_EXACT_INDEXES = 'set local random_page_cost = 1.1';

/** The second condition implies the first, which gives the index scan its start. */
function olderThan({ at, id }: AuditPosition) {
  const instant = new Date(at);
  return { at: { $lte: instant }, $or: [{ at: { $lt: instant } }, { id: { $lt: id } }] };
}
