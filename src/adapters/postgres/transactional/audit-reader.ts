/** The audit log, read back from PostgreSQL. */
import type { AuditReader } from '#application/ports/audit-reader.ts';
import { withinReach } from './attribution-filter.ts';
import { AuditRow, toAuditEntry } from './entities/audit-row.ts';
import type { Orm } from './orm.ts';

export function makeAuditReader(orm: Orm): AuditReader {
  return async (scope, { action, actorId, resourceId, from, to, after, limit }) => {
    const rows = await orm.within(scope).find(
      AuditRow,
      {
        $and: [
          withinReach(scope),
          ...(action === null ? [] : [{ action }]),
          ...(actorId === null ? [] : [{ actorId }]),
          ...(resourceId === null ? [] : [{ resourceId }]),
          ...(from === null ? [] : [{ at: { $gte: new Date(from) } }]),
          ...(to === null ? [] : [{ at: { $lte: new Date(to) } }]),
          ...(after === null ? [] : [olderThan(after.at, after.id)]),
        ],
      },
      { orderBy: { at: 'desc', id: 'desc' }, limit },
    );
    return rows.map(toAuditEntry);
  };
}

/** The first condition is implied by the second, and lets the index begin at the right place. */
function olderThan(at: number, id: string) {
  const instant = new Date(at);
  return { at: { $lte: instant }, $or: [{ at: { $lt: instant } }, { id: { $lt: id } }] };
}
