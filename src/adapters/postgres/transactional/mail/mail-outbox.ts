import { AuditRow, toAuditRow } from '#adapters/postgres/transactional/entities/audit-row.ts';
import {
  MailRow,
  SUMMARY_FIELDS,
  toMailSummary,
} from '#adapters/postgres/transactional/entities/mail-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { MailOutbox, MailRetryRefusal } from '#application/ports/mail/mail-outbox.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import { makeMailClaims } from './mail-claims.ts';
import { withdrawnAt } from './mail-queue.ts';

/**
 * Conditional updates instead of managed rows: a worker may claim or settle a mail at any moment, and the condition
 * decides who was first.
 */
export function makeMailOutbox(orm: Orm): MailOutbox {
  return {
    ...makeMailClaims(orm),

    list: (status, limit) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const rows = await em.find(MailRow, status === null ? {} : { status }, {
          fields: SUMMARY_FIELDS,
          orderBy: { queuedAt: 'desc', id: 'desc' },
          limit,
        });
        return rows.map(toMailSummary);
      }),

    retry: (id, now, entry) =>
      orm.withScope(SYSTEM_SCOPE, async (em): Promise<Result<void, MailRetryRefusal>> => {
        const isInNoHands = { $or: [{ claim: null }, { nextAttemptAt: { $lte: new Date(now) } }] };
        const count = await em.nativeUpdate(
          MailRow,
          { id, $or: [{ status: 'failed' }, { status: 'queued', ...isInNoHands }] },
          dueAgainAt(now),
        );
        if (count === 1) {
          if (entry !== undefined) await em.insert(AuditRow, toAuditRow(entry));
          return ok(undefined);
        }
        const row = await em.findOne(MailRow, { id }, { fields: ['status'] });
        if (row === null) return err('unknown');
        return err(row.status === 'sent' || row.status === 'withdrawn' ? row.status : 'being-sent');
      }),

    retryAllFailed: (now, makeEntry) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const count = await em.nativeUpdate(MailRow, { status: 'failed' }, dueAgainAt(now));
        if (count > 0 && makeEntry !== undefined) await em.insert(AuditRow, toAuditRow(makeEntry(count)));
        return count;
      }),

    withdrawFailedBefore: (instant, now) =>
      orm.withScope(SYSTEM_SCOPE, (em) =>
        em.nativeUpdate(
          MailRow,
          { status: 'failed', settledAt: { $lt: new Date(instant) } },
          withdrawnAt(now),
        ),
      ),

    listCopiesDue: (settledBy, limit) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const rows = await em.find(
          MailRow,
          { copiesDue: true, settledAt: { $lte: new Date(settledBy) } },
          { fields: ['id'], orderBy: { settledAt: 'asc', id: 'asc' }, limit },
        );
        return rows.map(({ id }) => id);
      }),

    noteCopiesRemoved: (ids) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        await em.nativeUpdate(MailRow, { id: { $in: [...ids] } }, { copiesDue: false });
      }),
  };
}

function dueAgainAt(now: EpochMs) {
  const at = new Date(now);
  return {
    status: 'queued' as const,
    settledAt: null,
    attempts: 0,
    claim: null,
    tryingSince: at,
    nextAttemptAt: at,
  };
}
