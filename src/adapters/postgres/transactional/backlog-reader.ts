/** Reads indexes of queued mails and open requests only. */
import type { BacklogReader } from '#application/ports/backlog-reader.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { Orm } from './orm.ts';

interface BacklogRow {
  readonly queued: number;
  readonly oldest: Date | string | null;
  readonly due: number;
  readonly overdue: number;
}

export function makeBacklogReader(orm: Orm): BacklogReader {
  return (now) =>
    orm.withScope(SYSTEM_SCOPE, async (em) => {
      const at = new Date(now);
      const [row] = await em.execute<BacklogRow[]>(BACKLOG, [at, at]);
      if (row === undefined) throw new Error('counting gave no row');
      return {
        queuedMails: row.queued,
        oldestMailQueuedAt: row.oldest === null ? null : new Date(row.oldest).getTime(),
        dueDeletions: row.due,
        overdueDeletions: row.overdue,
      };
    });
}

const BACKLOG = `
  select m.queued, m.oldest, r.due, r.overdue
  from (select count(*)::int as queued, min(queued_at) as oldest from mail_outbox where status = 'queued') m,
    (select count(*) filter (where status = 'processing' and process_by <= ?)::int as due,
       count(*) filter (where process_by < ?)::int as overdue
     from account_deletion_request where status in ('pending', 'processing')) r`;
