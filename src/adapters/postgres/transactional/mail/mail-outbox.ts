import { randomUUID } from 'node:crypto';
import type { EntityManager, RawQueryFragment } from '@mikro-orm/postgresql';
import { recordChange } from '#adapters/postgres/transactional/entities/audit-row.ts';
import {
  MailRow,
  SUMMARY_FIELDS,
  toClaimedMail,
  toMailRow,
  toMailSummary,
} from '#adapters/postgres/transactional/entities/mail-row.ts';
import type { Orm } from '#adapters/postgres/transactional/orm.ts';
import { mailPlace } from '#adapters/postgres/transactional/secrets/sealing-keys.ts';
import type { SecretsAtRest } from '#adapters/postgres/transactional/secrets/secrets-at-rest.ts';
import type { MailOutbox, MailRetryRefusal, MailSettlement } from '#application/ports/mail/mail-outbox.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import {
  LONGEST_RETRY_DELAY_MS,
  MAIL_KINDS,
  outlivesAccount,
  type QueuedMail,
} from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

const FIRST = 'and id <> all(?::uuid[]) order by next_attempt_at, id limit 1 for update skip locked';

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

/** A time of the database's clock (`raw`), or of the host's. */
export type Instant = Date | RawQueryFragment;

const OUTLIVING = MAIL_KINDS.filter(outlivesAccount);

const CLAIM_ENDED = { claim: null, nextAttemptAt: null, settledAt: null };

const FORGOTTEN = { email: null, name: null, facts: null, secret: null, problem: null };

/**
 * Updates are conditional, without managed rows, because a worker may claim or settle a mail at any moment. A claim is
 * a lease: no lock is held during SMTP, and a dead worker's claim expires.
 */
export function makeMailOutbox(orm: Orm, secrets: Pick<SecretsAtRest, 'open'>): MailOutbox {
  return {
    claim: (now, leaseMs, inHand = []) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const claim = randomUUID();
        const kept = `{${[...inHand].join()}}`;
        const [until, due, tooLate] = [leaseMs, 0, LONGEST_RETRY_DELAY_MS].map((ms) => new Date(now + ms));
        const [row] = await em.execute<[object?]>(CLAIM, [claim, until, due, kept, tooLate, kept]);
        if (row === undefined) return null;
        const mail = em.map(MailRow, row);
        return toClaimedMail(mail, claim, (sealed) => secrets.open(sealed, mailPlace(mail.id)));
      }),

    renew: ({ id, claim }, now, leaseMs) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const nextAttemptAt = new Date(now + leaseMs);
        return (await em.nativeUpdate(MailRow, { id, claim }, { nextAttemptAt })) === 1;
      }),

    settle: ({ id, claim }, settlement) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const count = await em.nativeUpdate(MailRow, { id, claim }, settledColumns(settlement));
        if (settlement.status === 'sent') {
          const forgotten = [{ status: 'withdrawn' }, { status: 'sent', kind: { $in: OUTLIVING } }] as const;
          await em.nativeUpdate(MailRow, { id, $or: [...forgotten] }, { copiesDue: true });
        }
        return count === 1;
      }),

    list: (status, limit) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const rows = await em.find(MailRow, status === null ? {} : { status }, {
          fields: SUMMARY_FIELDS,
          orderBy: { queuedAt: 'desc', id: 'desc' },
          limit,
        });
        return rows.map(toMailSummary);
      }),

    retry: (id, now, makeEntry) =>
      orm.withScope(SYSTEM_SCOPE, async (em): Promise<Result<void, MailRetryRefusal>> => {
        const isInNoHands = { $or: [{ claim: null }, { nextAttemptAt: { $lte: new Date(now) } }] };
        const count = await em.nativeUpdate(
          MailRow,
          { id, $or: [{ status: 'failed' }, { status: 'queued', ...isInNoHands }] },
          dueAgainAt(now),
        );
        if (count === 1) {
          await recordChange(em, makeEntry?.());
          return ok(undefined);
        }
        const row = await em.findOne(MailRow, { id }, { fields: ['status'] });
        if (row === null) return err('unknown');
        return err(row.status === 'sent' || row.status === 'withdrawn' ? row.status : 'being-sent');
      }),

    retryAllFailed: (now, makeEntry) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const count = await em.nativeUpdate(MailRow, { status: 'failed' }, dueAgainAt(now));
        if (count > 0) await recordChange(em, makeEntry?.(count));
        return count;
      }),

    withdrawFailedBefore: (instant, now) =>
      orm.withScope(SYSTEM_SCOPE, (em) =>
        em.nativeUpdate(
          MailRow,
          { status: 'failed', settledAt: { $lt: new Date(instant) } },
          withdrawnAt(new Date(now)),
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

export async function queueMail(
  em: EntityManager,
  id: MailId,
  mail: QueuedMail,
  { at, secrets }: { readonly at: Instant; readonly secrets: Pick<SecretsAtRest, 'seal'> },
): Promise<void> {
  const seal = (token: string) => secrets.seal(token, mailPlace(id));
  await em
    .createQueryBuilder(MailRow)
    .insert(toMailRow(id, mail, { at, seal }))
    // Naming the unique key would need the privilege to read the outbox, which tenants' scopes lack.
    .onConflict()
    .ignore()
    .execute();
}

/** Withdraws every mail to or about an erased user, except the confirmation of the deletion. */
export async function withdrawMail(em: EntityManager, userId: UserId, at: Instant): Promise<void> {
  const forgotten = {
    $or: [{ userId }, { aboutUserId: userId }],
    kind: { $nin: OUTLIVING },
  };
  await em.nativeUpdate(MailRow, { ...forgotten, status: 'sent' }, { copiesDue: true });
  await em.nativeUpdate(MailRow, { ...forgotten, email: { $ne: null } }, withdrawnAt(at));
}

function withdrawnAt(at: Instant) {
  return {
    status: 'withdrawn' as const,
    settledAt: at,
    ...FORGOTTEN,
    claim: null,
    nextAttemptAt: null,
    copiesDue: true,
  };
}
