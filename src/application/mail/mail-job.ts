/**
 * Sends queued mail (Contract: §7, Mail) and holds no lock while talking to the mail server. It claims a mail for a few
 * seconds, renews the claim while sending, and stores the outcome. After a crash the claim expires, and the mail is
 * sent again with the same Message-ID. A lost claim stops the sending.
 */
import { isDueAgain, type Job, type StopSignals } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { Log } from '#application/ports/log.ts';
import type { ClaimedMail, MailOutbox, MailSettlement } from '#application/ports/mail/mail-outbox.ts';
import type { MailCopyRemover, MailSender, SendOutcome } from '#application/ports/mail/mail-sender.ts';
import type { MailId } from '#domain/ids.ts';
import { FAILED_KEPT_MS, GIVE_UP_AFTER_MS, retryDelayMs } from '#domain/mail/queued-mail.ts';
import { renderMail } from '#domain/mail/render-mail.ts';
import { type EpochMs, HOUR_MS } from '#domain/time.ts';
import { makeRemoveDueCopies } from './remove-due-copies.ts';

export interface MailJobDeps {
  readonly outbox: MailOutbox;
  readonly send: MailSender;
  /** If absent, copies are never removed. */
  readonly removeCopies?: MailCopyRemover | undefined;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Stamps everything that the outbox keeps. */
  readonly sharedClock: SharedClock;
  readonly log: Log;
  /** In [0, 1). */
  readonly random: () => number;
}

export const MAIL_JOB = 'mail';

/** Lifetime of a claim that is not renewed. A dead worker's mail is claimed again after this time. */
const LEASE_MS = 5_000;

const RENEW_EVERY_MS = 1_000;

/** Sending stops this long before the claim expires, because another worker may begin then. */
const ABANDON_BEFORE_MS = 1_000;

/** Several, so a slow mail does not delay the others. */
const CONCURRENT_MAILS = 4;

const CLEAN_UP_EVERY_MS = HOUR_MS;

export function makeMailJob(deps: MailJobDeps): Job {
  const { outbox, send, baseUrl, clock, sharedClock, log, random } = deps;
  const removeDueCopies = makeRemoveDueCopies(deps);
  const gate = makeOutageGate({ clock, random });
  /** Outcomes that could not be stored yet. Their mails stay claimed. */
  const unsettled = new Map<ClaimedMail, DecideSettlement>();
  /** Mails claimed by this process. They are not claimed again, even if the clock jumps and claims look expired. */
  const inHand = new Set<MailId>();
  let lastClaim: Promise<ClaimedMail | null> = Promise.resolve(null);
  let cleanedUpAt = Number.NEGATIVE_INFINITY;

  const settle = async (claimed: ClaimedMail, decide: DecideSettlement): Promise<MailSettlement> => {
    try {
      const settlement = decide(await sharedClock());
      if (!(await outbox.settle(claimed, settlement)))
        log.warn(
          { mail: claimed.id },
          'mail was withdrawn, or claimed by another worker, while it was being sent',
        );
      return settlement;
    } catch (error) {
      unsettled.set(claimed, decide);
      throw error;
    }
  };

  const renderAndSend = async ({ id, mail, queuedAt }: ClaimedMail, aborting: AbortSignal) =>
    send({ id, email: mail.to.email, queuedAt, ...renderMail(mail, baseUrl) }, aborting);

  const sendOne = async (claimed: ClaimedMail, { aborting }: StopSignals) => {
    const facts = { mail: claimed.id, kind: claimed.mail.kind, attempts: claimed.attempts };
    const lease = keepClaim(claimed, { outbox, sharedClock });
    const outcome = await renderAndSend(claimed, AbortSignal.any([aborting, lease.lost]))
      .catch(deferForError)
      .finally(lease.stop);
    gate.note(outcome.result === 'unreachable');
    const isStopped = aborting.aborted && outcome.result !== 'sent' && outcome.result !== 'refused';
    const { status } = await settle(claimed, (now) =>
      isStopped
        ? { status: 'queued', nextAttemptAt: now, problem: 'the service was stopped' }
        : decideSettlement(claimed, outcome, now, random()),
    );
    if (outcome.result === 'sent') log.info(facts, 'mail sent');
    else log.warn({ ...facts, code: outcome.code, status }, 'mail not sent');
  };

  /** Claims run one at a time, so each knows all mails in hand. */
  const claimNext = (): Promise<ClaimedMail | null> => {
    const next = lastClaim.then(async () => {
      const claimed = await outbox.claim(await sharedClock(), LEASE_MS, inHand);
      if (claimed !== null) inHand.add(claimed.id);
      return claimed;
    });
    lastClaim = next.catch(() => null);
    return next;
  };

  /** Returns true if there may be more to send. */
  const sendNext = async (stop: StopSignals): Promise<boolean> => {
    if (stop.stopping.aborted || !gate.enter()) return false;
    try {
      const claimed = await claimNext();
      if (claimed === null) return false;
      await sendOne(claimed, stop).finally(() => inHand.delete(claimed.id));
      return true;
    } finally {
      gate.leave();
    }
  };

  const cleanUp = async () => {
    if (!isDueAgain(cleanedUpAt, CLEAN_UP_EVERY_MS, clock())) return;
    cleanedUpAt = clock();
    const now = await sharedClock();
    await outbox.withdrawFailedBefore(now - FAILED_KEPT_MS, now);
  };

  return {
    name: MAIL_JOB,
    concurrency: CONCURRENT_MAILS,
    run: async (stop) => {
      for (const [claimed, decide] of unsettled) {
        unsettled.delete(claimed);
        await settle(claimed, decide);
      }
      await cleanUp();
      await removeDueCopies(stop.stopping);
      while (await sendNext(stop));
    },
  };
}

type DecideSettlement = (now: EpochMs) => MailSettlement;

interface KeptClaim {
  /** Aborts when the claim is lost or cannot be renewed in time. */
  readonly lost: AbortSignal;
  stop(): void;
}

function keepClaim(
  claimed: ClaimedMail,
  { outbox, sharedClock }: Pick<MailJobDeps, 'outbox' | 'sharedClock'>,
): KeptClaim {
  const lost = new AbortController();
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let isRenewing = false;
  let isStopped = false;
  const expectRenewal = () => {
    clearTimeout(expiry);
    expiry = setTimeout(() => lost.abort(), LEASE_MS - ABANDON_BEFORE_MS);
  };
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    const isOurs = await sharedClock()
      .then((now) => outbox.renew(claimed, now, LEASE_MS))
      .catch(() => null);
    isRenewing = false;
    // If `isOurs` is null, the database is unreachable. The claim still holds, and the next renewal may succeed.
    if (isOurs === true && !isStopped) expectRenewal();
    if (isOurs === false) lost.abort();
  };
  expectRenewal();
  const timer = setInterval(renew, RENEW_EVERY_MS);
  return {
    lost: lost.signal,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(expiry);
    },
  };
}

/** An unexpected error must not block this mail or those behind it for ever. */
function deferForError(error: unknown): SendOutcome {
  const code = error instanceof Error ? error.name : typeof error;
  return { result: 'deferred', problem: `internal error (${code})`, code };
}

function decideSettlement(
  { attempts, tryingSince }: ClaimedMail,
  outcome: SendOutcome,
  now: EpochMs,
  chance: number,
): MailSettlement {
  if (outcome.result === 'sent') return { status: 'sent', at: now };
  const { problem } = outcome;
  if (outcome.result === 'refused') return { status: 'failed', at: now, problem };
  const nextAttemptAt = now + retryDelayMs(outcome.result, attempts, chance);
  return nextAttemptAt > tryingSince + GIVE_UP_AFTER_MS
    ? { status: 'failed', at: now, problem: `gave up after 72 hours: ${problem}` }
    : { status: 'queued', nextAttemptAt, problem };
}

// While the mail server is unreachable, a process must not try every mail. After a failure all mails wait, then a
// single one is tried first.

export interface OutageGate {
  /** If this returns true, call `leave` when done. */
  enter(): boolean;
  leave(): void;
  note(isOutage: boolean): void;
}

export interface OutageGateDeps {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
}

export function makeOutageGate({ clock, random }: OutageGateDeps): OutageGate {
  /** Failures in a row; simultaneous ones count once. */
  let attempts = 0;
  let closedAt: EpochMs = Number.NEGATIVE_INFINITY;
  let closedForMs = 0;
  let inside = 0;
  return {
    enter: () => {
      if (attempts > 0 && (inside > 0 || !isDueAgain(closedAt, closedForMs, clock()))) return false;
      inside++;
      return true;
    },
    leave: () => {
      inside--;
    },
    note: (isOutage) => {
      if (!isOutage) attempts = 0;
      else if (isDueAgain(closedAt, closedForMs, clock())) {
        attempts++;
        closedAt = clock();
        closedForMs = retryDelayMs('unreachable', attempts, random());
      }
    },
  };
}
