import { recordChange } from '#adapters/memory/stores/audit-stores.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type {
  ClaimedMail,
  MailOutbox,
  MailRetryRefusal,
  MailStatus,
  MailSummary,
} from '#application/ports/mail/mail-outbox.ts';
import type { MailId, UserId } from '#domain/ids.ts';
import {
  LONGEST_RETRY_DELAY_MS,
  outlivesAccount,
  type QueuedMail,
  subjectOf,
} from '#domain/mail/queued-mail.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { EpochMs } from '#domain/time.ts';

export interface StoredMail {
  readonly id: MailId;
  readonly kind: QueuedMail['kind'];
  readonly requestId: QueuedMail['requestId'];
  readonly userId: UserId;
  readonly aboutUserId: UserId;
  readonly status: MailStatus;
  readonly contents: QueuedMail | null;
  readonly queuedAt: EpochMs;
  readonly tryingSince: EpochMs;
  readonly attempts: number;
  readonly nextAttemptAt: EpochMs | null;
  readonly claim: string | null;
  readonly settledAt: EpochMs | null;
  readonly problem: string | null;
  /** True if a mail sender may still have copies that must be removed. */
  readonly copiesDue: boolean;
}

type Mails = Pick<World, 'mails'>;

/** Does nothing if the recipient already has a mail of the same kind and request. */
export function queueMail({ mails }: Mails, id: MailId, mail: QueuedMail, now: EpochMs): void {
  const { kind, requestId } = mail;
  const isThere = mails
    .values()
    .some((known) => known.kind === kind && known.requestId === requestId && known.userId === mail.to.userId);
  if (isThere) return;
  mails.set(id, {
    id,
    kind,
    requestId,
    userId: mail.to.userId,
    aboutUserId: subjectOf(mail),
    status: 'queued',
    contents: structuredClone(mail),
    queuedAt: now,
    tryingSince: now,
    attempts: 0,
    nextAttemptAt: now,
    claim: null,
    settledAt: null,
    problem: null,
    copiesDue: false,
  });
}

/** Withdraws mails to and about the user, except the confirmation of the deletion. */
export function withdrawMail({ mails }: Mails, userId: UserId, now: EpochMs): void {
  for (const mail of mails.values()) {
    if ((mail.userId === userId || mail.aboutUserId === userId) && !outlivesAccount(mail.kind)) {
      if (mail.contents !== null) mails.set(mail.id, withdrawn(mail, now));
      else if (mail.status === 'sent') mails.set(mail.id, { ...mail, copiesDue: true });
    }
  }
}

/** `newClaim` must return a different text each time. */
export function makeMailOutbox(
  { mails, auditEntries, lock }: Pick<World, 'mails' | 'auditEntries' | 'lock'>,
  newClaim: () => string,
): MailOutbox {
  const retryNow = (mail: StoredMail, now: EpochMs) =>
    mails.set(mail.id, {
      ...mail,
      status: 'queued',
      tryingSince: now,
      attempts: 0,
      nextAttemptAt: now,
      settledAt: null,
    });
  return {
    claim: (now, leaseMs, inHand = []) =>
      lock(() => {
        const kept = new Set(inHand);
        const isDue = ({ id, nextAttemptAt: at }: StoredMail) =>
          !kept.has(id) && at !== null && (at <= now || at > now + LONGEST_RETRY_DELAY_MS);
        const [due] = mails
          .values()
          .filter(isDue)
          .toArray()
          .sort((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0) || (a.id < b.id ? -1 : 1));
        if (due === undefined) return null;
        const claim = newClaim();
        const claimed = { ...due, claim, attempts: due.attempts + 1, nextAttemptAt: now + leaseMs };
        mails.set(due.id, claimed);
        return toClaimedMail(claimed, claim);
      }),

    async renew({ id, claim }, now, leaseMs) {
      const mail = mails.get(id);
      if (mail === undefined || mail.claim !== claim) return false;
      mails.set(id, { ...mail, nextAttemptAt: now + leaseMs });
      return true;
    },

    async settle({ id, claim }, settlement) {
      const mail = mails.get(id);
      if (mail === undefined) return false;
      const { status } = settlement;
      if (mail.claim !== claim) {
        if (status === 'sent' && mail.status === 'withdrawn') mails.set(id, { ...mail, copiesDue: true });
        return false;
      }
      mails.set(id, {
        ...mail,
        status,
        claim: null,
        contents: status === 'sent' ? null : mail.contents,
        nextAttemptAt: status === 'queued' ? settlement.nextAttemptAt : null,
        settledAt: status === 'queued' ? null : settlement.at,
        problem: status === 'sent' ? null : settlement.problem,
        copiesDue: mail.copiesDue || (status === 'sent' && outlivesAccount(mail.kind)),
      });
      return true;
    },

    async list(status, limit) {
      return mails
        .values()
        .filter((mail) => status === null || mail.status === status)
        .toArray()
        .sort((a, b) => b.queuedAt - a.queuedAt || (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(toSummary);
    },

    retry: (id, now, makeEntry) =>
      lock(async (): Promise<Result<void, MailRetryRefusal>> => {
        const mail = mails.get(id);
        if (mail === undefined) return err('unknown');
        if (mail.status === 'sent' || mail.status === 'withdrawn') return err(mail.status);
        if (mail.claim !== null && (mail.nextAttemptAt ?? 0) > now) return err('being-sent');
        const entry = await makeEntry?.();
        retryNow(mail, now);
        recordChange({ auditEntries }, entry);
        return ok(undefined);
      }),

    retryAllFailed: (now, makeEntry) =>
      lock(async () => {
        const failed = mails
          .values()
          .filter(({ status }) => status === 'failed')
          .toArray();
        if (failed.length === 0) return 0;
        const entry = await makeEntry?.(failed.length);
        for (const mail of failed) retryNow(mail, now);
        recordChange({ auditEntries }, entry);
        return failed.length;
      }),

    async withdrawFailedBefore(instant, now) {
      const old = mails
        .values()
        .filter(({ status, settledAt }) => status === 'failed' && (settledAt ?? now) < instant)
        .toArray();
      for (const mail of old) mails.set(mail.id, withdrawn(mail, now));
      return old.length;
    },

    async listCopiesDue(settledBy, limit) {
      return mails
        .values()
        .filter(({ copiesDue, settledAt }) => copiesDue && settledAt !== null && settledAt <= settledBy)
        .toArray()
        .sort((a, b) => (a.settledAt ?? 0) - (b.settledAt ?? 0) || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id);
    },

    async noteCopiesRemoved(ids) {
      for (const id of ids) {
        const mail = mails.get(id);
        if (mail !== undefined) mails.set(id, { ...mail, copiesDue: false });
      }
    },
  };
}

function withdrawn(mail: StoredMail, now: EpochMs): StoredMail {
  return {
    ...mail,
    status: 'withdrawn',
    contents: null,
    nextAttemptAt: null,
    claim: null,
    settledAt: now,
    problem: null,
    copiesDue: true,
  };
}

function toClaimedMail(
  { id, contents, queuedAt, attempts, tryingSince }: StoredMail,
  claim: string,
): ClaimedMail {
  if (contents === null) throw new Error(`mail ${id} is due but has no contents`);
  return { id, claim, mail: structuredClone(contents), queuedAt, attempts, tryingSince };
}

function toSummary({
  contents,
  aboutUserId: _about,
  tryingSince: _since,
  claim: _claim,
  copiesDue: _due,
  ...mail
}: StoredMail): MailSummary {
  return { ...mail, email: contents?.to.email ?? null };
}
