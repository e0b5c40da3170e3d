/**
 * The worker's side of the outbox. A claim is a lease: each call is one short statement, nothing stays locked during
 * SMTP, and a dead worker's claim expires by the service's clock.
 */
import { randomUUID } from 'node:crypto';
import { MailRow, toClaimedMail } from '#adapters/postgres/transactional/entities/mail-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import type { MailOutbox, MailSettlement } from '#application/ports/mail/mail-outbox.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { LONGEST_RETRY_DELAY_MS } from '#domain/mail/retry-schedule.ts';

export function makeMailClaims(orm: Orm): Pick<MailOutbox, 'claim' | 'renew' | 'settle'> {
  return {
    claim: (now, leaseMs) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const claim = randomUUID();
        const times = [now + leaseMs, now, now + LONGEST_RETRY_DELAY_MS].map((at) => new Date(at));
        const [row] = await em.execute<[object?]>(CLAIM, [claim, ...times]);
        return row === undefined ? null : toClaimedMail(em.map(MailRow, row), claim);
      }),

    renew: ({ id, claim }, now, leaseMs) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const nextAttemptAt = new Date(now + leaseMs);
        return (await em.nativeUpdate(MailRow, { id, claim }, { nextAttemptAt })) === 1;
      }),

    // Conditional and unmanaged: only the valid claim may settle the mail.
    settle: ({ id, claim }, settlement) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const count = await em.nativeUpdate(MailRow, { id, claim }, settledColumns(settlement));
        if (count === 0 && settlement.status === 'sent')
          await em.nativeUpdate(MailRow, { id, status: 'withdrawn' }, { copiesDue: true });
        return count === 1;
      }),
  };
}

/** The first unlocked one. */
const FIRST = 'order by next_attempt_at, id limit 1 for update skip locked';

/** Raw: one statement finds, skips locked rows, and claims. */
const CLAIM = `
  update mail_outbox set claim = ?, attempts = attempts + 1, next_attempt_at = ?
  where id = coalesce(
    (select id from mail_outbox where status = 'queued' and next_attempt_at <= ? ${FIRST}),
    (select id from mail_outbox where status = 'queued' and next_attempt_at > ? ${FIRST}))
  returning *`;

function settledColumns(settlement: MailSettlement) {
  const { status } = settlement;
  switch (status) {
    case 'sent':
      return { ...CLAIM_ENDED, status, settledAt: new Date(settlement.at), ...FORGOTTEN };
    case 'failed':
      return { ...CLAIM_ENDED, status, settledAt: new Date(settlement.at), problem: settlement.problem };
    case 'queued':
      return {
        ...CLAIM_ENDED,
        status,
        nextAttemptAt: new Date(settlement.nextAttemptAt),
        problem: settlement.problem,
      };
  }
}

const CLAIM_ENDED = { claim: null, nextAttemptAt: null, settledAt: null };

const FORGOTTEN = { email: null, name: null, facts: null, problem: null };
