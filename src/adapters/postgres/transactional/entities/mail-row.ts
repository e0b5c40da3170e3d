import { defineEntity, p, type RawQueryFragment } from '@mikro-orm/core';
import type { ClaimedMail, MailStatus, MailSummary } from '#application/ports/mail/mail-outbox.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import { type MailKind, type MailOccasionId, type QueuedMail, subjectOf } from '#domain/mail/queued-mail.ts';

const MailSchema = defineEntity({
  name: 'MailRow',
  tableName: 'mail_outbox',
  properties: {
    id: p.uuid().$type<MailId>().primary(),
    kind: p.text().$type<MailKind>(),
    requestId: p.uuid().$type<MailOccasionId>(),
    userId: p.uuid().$type<UserId>(),
    aboutUserId: p.uuid().$type<UserId>(),
    status: p.text().$type<MailStatus>(),
    email: p.text().strictNullable(),
    name: p.text().strictNullable(),
    facts: p.json<QueuedMail['facts']>().strictNullable(),
    queuedAt: p.datetime(3),
    tryingSince: p.datetime(3),
    attempts: p.integer(),
    nextAttemptAt: p.datetime(3).strictNullable(),
    claim: p.uuid().strictNullable(),
    settledAt: p.datetime(3).strictNullable(),
    problem: p.text().strictNullable(),
    copiesDue: p.boolean(),
    secret: p.text().strictNullable(),
  },
});

export class MailRow extends MailSchema.class {}
MailSchema.setClass(MailRow);

/** `seal` encrypts the token of the mail's link, and the token is stored apart from the facts. */
export function toMailRow(
  id: MailId,
  mail: QueuedMail,
  { at, seal }: { readonly at: Date | RawQueryFragment; readonly seal: (token: string) => string },
) {
  const { token, ...facts } = 'token' in mail.facts ? mail.facts : { ...mail.facts, token: null };
  return {
    id,
    kind: mail.kind,
    requestId: mail.requestId,
    userId: mail.to.userId,
    aboutUserId: subjectOf(mail),
    status: 'queued' as const,
    email: mail.to.email,
    name: mail.to.name,
    facts: facts as QueuedMail['facts'],
    secret: token === null ? null : seal(token),
    queuedAt: at,
    tryingSince: at,
    attempts: 0,
    nextAttemptAt: at,
    copiesDue: false,
  };
}

/** A claimed mail has not been settled, so it still has its recipient, facts and token. */
export function toClaimedMail(row: MailRow, claim: string, open: (sealed: string) => string): ClaimedMail {
  const { secret } = row;
  const facts = secret === null ? row.facts : { ...row.facts, token: open(secret) };
  const to = { userId: row.userId, email: row.email, name: row.name };
  return {
    id: row.id,
    claim,
    mail: { kind: row.kind, requestId: row.requestId, to, facts } as QueuedMail,
    queuedAt: row.queuedAt.getTime(),
    attempts: row.attempts,
    tryingSince: row.tryingSince.getTime(),
  };
}

export const SUMMARY_FIELDS = [
  'id',
  'kind',
  'requestId',
  'status',
  'userId',
  'email',
  'queuedAt',
  'attempts',
  'nextAttemptAt',
  'settledAt',
  'problem',
] as const satisfies readonly (keyof MailRow)[];

export function toMailSummary(row: Pick<MailRow, (typeof SUMMARY_FIELDS)[number]>): MailSummary {
  return {
    id: row.id,
    kind: row.kind,
    requestId: row.requestId,
    status: row.status,
    userId: row.userId,
    email: row.email,
    queuedAt: row.queuedAt.getTime(),
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.getTime() ?? null,
    settledAt: row.settledAt?.getTime() ?? null,
    problem: row.problem,
  };
}
