/**
 * Entries that arrive during one write share the next write, so a thousand previews a second need few
 * commits. Each entry is durable before its answer.
 */
import type { Pool } from 'pg';
import { auditInsert } from '#adapters/postgres/audit-insert.ts';
import { runAlone } from '#adapters/postgres/setup/connections/pooled-client.ts';
import { AuditRow, toAuditEntry } from '#adapters/postgres/transactional/entities/audit-row.ts';
import { type Orm, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { AuditPosition, AuditReader } from '#application/ports/audit/audit-reader.ts';
import type { BacklogReader } from '#application/ports/backlog-reader.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';

const MAX_GROUP_SIZE = 500;

interface Waiting {
  readonly entry: AuditEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function makeAuditLog(pool: Pool): AuditLog {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP_SIZE);
      waiting = waiting.slice(MAX_GROUP_SIZE);
      try {
        await runAlone(pool, auditInsert(group.map(({ entry }) => entry)));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWriting = false;
  };

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      if (!isWriting) void writeAll();
    });
}

export function makeAuditReader(orm: Orm): AuditReader {
  return (scope, { action, actorIds, resourceId, orgId, result, from, to, after, limit }) =>
    orm.withScope(scope, async (em) => {
      await em.execute(PREFER_EXACT_INDEXES);
      const rows = await em.find(
        AuditRow,
        {
          $and: [
            withinReach(scope),
            ...(action === null ? [] : [{ action }]),
            ...(actorIds === null ? [] : [{ actorId: { $in: [...actorIds] } }]),
            ...(resourceId === null ? [] : [{ resourceId }]),
            ...(orgId === null ? [] : [{ orgId }]),
            ...(result === null ? [] : [{ result }]),
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
 * The planner assumes that action, actor and tenant are independent, and would choose a coarser index at the
 * default cost.
 */
const PREFER_EXACT_INDEXES = 'set local random_page_cost = 1.1';

/** The first condition follows from the second, but tells the index scan where to start. */
function olderThan({ at, id }: AuditPosition) {
  const instant = new Date(at);
  return { at: { $lte: instant }, $or: [{ at: { $lt: instant } }, { id: { $lt: id } }] };
}

interface BacklogRow {
  readonly queued: number;
  readonly oldest: Date | string | null;
  readonly due: number;
  readonly overdue: number;
  readonly marks: number;
  readonly mark_age: number;
  readonly timers: number;
  readonly changes: number;
}

export function makeBacklogReader(orm: Orm): BacklogReader {
  return (now) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const at = new Date(now);
      const [row] = await em.execute<BacklogRow[]>(BACKLOG, [at, at, at]);
      if (row === undefined) throw new Error('counting gave no row');
      return {
        queuedMails: row.queued,
        oldestMailQueuedAt: row.oldest === null ? null : new Date(row.oldest).getTime(),
        dueDeletions: row.due,
        overdueDeletions: row.overdue,
        membershipMarks: row.marks,
        oldestMarkAge: row.mark_age,
        dueTimers: row.timers,
        membershipChanges: row.changes,
      };
    });
}

const BACKLOG = `
  select m.queued, m.oldest, r.due, r.overdue, k.marks, k.mark_age,
    (select count(*)::int from live_timer where due <= ?) as timers,
    (select coalesce(sum(seq), 0)::float8 from live_filter) as changes
  from (select count(*)::int as queued, min(queued_at) as oldest from mail_outbox where status = 'queued') m,
    (select count(*) filter (where status = 'processing' and process_by <= ?)::int as due,
       count(*) filter (where process_by < ?)::int as overdue
     from account_deletion_request where status in ('pending', 'processing')) r,
    (select count(*)::int as marks,
       coalesce(greatest(0, extract(epoch from clock_timestamp() - min(at)) * 1000), 0)::float8 as mark_age
     from live_mark) k`;
