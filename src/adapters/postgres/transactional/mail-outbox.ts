/**
 * The outbox on PostgreSQL. Every call is one short statement, so that nothing is locked while a mail server is
 * talked to: a claim is a lease, and each runs out by the clock of the service.
 */
import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type {
  ClaimedMail,
  MailOutbox,
  MailRetryRefusal,
  MailStatus,
  MailSummary,
} from '#application/ports/mail/mail-outbox.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import { MAIL_KINDS, outlivesAccount, type QueuedMail, subjectOf } from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';
import type { Orm } from './orm.ts';

/** Queues a mail in the transaction of the entity manager; see `Transaction.mail`. */
export async function queueMail(
  em: EntityManager,
  id: MailId,
  mail: QueuedMail,
  now: EpochMs,
): Promise<void> {
  // Without naming the unique key, which would ask for a right to read that a tenant's scope has not.
  await em.execute(
    `insert into mail_outbox (id, kind, request_id, user_id, about_user_id, status, email, name, facts,
                              queued_at, trying_since, attempts, next_attempt_at)
     values (?, ?, ?, ?, ?, 'queued', ?, ?, ?::jsonb, ?, ?, 0, ?)
     on conflict do nothing`,
    [
      id,
      mail.kind,
      mail.requestId,
      mail.to.userId,
      subjectOf(mail),
      mail.to.email,
      mail.to.name,
      JSON.stringify(mail.facts),
      new Date(now),
      new Date(now),
      new Date(now),
    ],
  );
}

/** Forgets every mail to the user or about them, but the one that confirms the deletion; see `AccountEraser`. */
export async function withdrawMail(em: EntityManager, userId: UserId, now: EpochMs): Promise<void> {
  await em.execute(
    `update mail_outbox set ${WITHDRAWN}
     where (user_id = ? or about_user_id = ?) and email is not null and kind not in (${KEPT_KINDS})`,
    [new Date(now), userId, userId],
  );
}

const KEPT_KINDS = MAIL_KINDS.filter(outlivesAccount)
  .map((kind) => `'${kind}'`)
  .join(', ');

/** Takes the time. */
const WITHDRAWN = `status = 'withdrawn', settled_at = ?, email = null, name = null, facts = null, problem = null,
  claim = null, next_attempt_at = null`;

/** Takes the time twice. */
const DUE_AGAIN = `status = 'queued', settled_at = null, attempts = 0, claim = null, trying_since = ?,
  next_attempt_at = ?`;

/** An instant as a whole number; the mapper leaves those of its own statements as text. */
const epochMs = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;

export function makeMailOutbox(orm: Orm): MailOutbox {
  const run = <R extends object>(sql: string, values: readonly unknown[]): Promise<R[]> =>
    orm.within(SYSTEM_SCOPE).transactional((em) => em.execute<R[]>(sql, values));
  return {
    claim: async (now, leaseMs) => {
      const claim = randomUUID();
      const [row] = await run<ClaimedRow>(
        `update mail_outbox set claim = ?, attempts = attempts + 1, next_attempt_at = ?
         where id = (select id from mail_outbox where status = 'queued' and next_attempt_at <= ?
                     order by next_attempt_at, id limit 1 for update skip locked)
         returning id, kind, request_id, user_id, email, name, facts, attempts,
                   ${epochMs('queued_at')}, ${epochMs('trying_since')}`,
        [claim, new Date(now + leaseMs), new Date(now)],
      );
      return row === undefined ? null : toClaimedMail(row, claim);
    },

    settle: async ({ id, claim }, settlement) => {
      const { status } = settlement;
      const isSent = status === 'sent';
      const rows = await run(
        `update mail_outbox
         set status = ?, claim = null, next_attempt_at = ?, settled_at = ?, problem = ?
             ${isSent ? ', email = null, name = null, facts = null' : ''}
         where id = ? and claim = ? returning id`,
        [
          status,
          status === 'queued' ? new Date(settlement.nextAttemptAt) : null,
          status === 'queued' ? null : new Date(settlement.at),
          isSent ? null : settlement.problem,
          id,
          claim,
        ],
      );
      return rows.length === 1;
    },

    list: async (status, limit) => {
      const rows = await run<SummaryRow>(
        `select id, kind, request_id, status, user_id, email, attempts, problem, ${epochMs('queued_at')},
                ${epochMs('next_attempt_at')}, ${epochMs('settled_at')}
         from mail_outbox m where ?::text is null or status = ? order by m.queued_at desc, id desc limit ?`,
        [status, status, limit],
      );
      return rows.map(toSummary);
    },

    retry: async (id, now): Promise<Result<void, MailRetryRefusal>> => {
      const at = new Date(now);
      const retried = await run(
        `update mail_outbox set ${DUE_AGAIN}
         where id = ? and (status = 'failed' or (status = 'queued' and (claim is null or next_attempt_at <= ?)))
         returning id`,
        [at, at, id, at],
      );
      if (retried.length === 1) return ok(undefined);
      const [row] = await run<{ status: MailStatus }>('select status from mail_outbox where id = ?', [id]);
      if (row === undefined) return err('unknown');
      return err(row.status === 'sent' || row.status === 'withdrawn' ? row.status : 'being-sent');
    },

    retryAllFailed: async (now) => {
      const at = new Date(now);
      const rows = await run(`update mail_outbox set ${DUE_AGAIN} where status = 'failed' returning id`, [
        at,
        at,
      ]);
      return rows.length;
    },

    withdrawFailedBefore: async (instant, now) => {
      const rows = await run(
        `update mail_outbox set ${WITHDRAWN} where status = 'failed' and settled_at < ? returning id`,
        [new Date(now), new Date(instant)],
      );
      return rows.length;
    },
  };
}

interface ClaimedRow {
  readonly id: MailId;
  readonly kind: string;
  readonly request_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly facts: unknown;
  readonly queued_at: EpochMs;
  readonly attempts: number;
  readonly trying_since: EpochMs;
}

function toClaimedMail(row: ClaimedRow, claim: string): ClaimedMail {
  const { id, kind, facts, attempts } = row;
  const to = { userId: row.user_id, email: row.email, name: row.name };
  return {
    id,
    claim,
    mail: { kind, requestId: row.request_id, to, facts } as QueuedMail,
    queuedAt: row.queued_at,
    attempts,
    tryingSince: row.trying_since,
  };
}

interface SummaryRow extends Pick<MailSummary, 'id' | 'kind' | 'status' | 'email' | 'attempts' | 'problem'> {
  readonly request_id: MailSummary['requestId'];
  readonly user_id: UserId;
  readonly queued_at: EpochMs;
  readonly next_attempt_at: EpochMs | null;
  readonly settled_at: EpochMs | null;
}

function toSummary(row: SummaryRow): MailSummary {
  return {
    id: row.id,
    kind: row.kind,
    requestId: row.request_id,
    status: row.status,
    userId: row.user_id,
    email: row.email,
    queuedAt: row.queued_at,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    settledAt: row.settled_at,
    problem: row.problem,
  };
}
