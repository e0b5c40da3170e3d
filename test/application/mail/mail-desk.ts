/** The mail job on a backend in memory, with a sender that the test controls and a clock that stands still. */
import { digestSecret } from '#adapters/auth/secret-generator.ts';
import { createMemoryBackend } from '#adapters/memory/memory-backend.ts';
import { translatePattern } from '#adapters/postgres-regex/translate-pattern.ts';
import type { StopSignals } from '#application/job.ts';
import { makeMailJob } from '#application/mail/mail-job.ts';
import type { MailOutbox, MailSummary } from '#application/ports/mail/mail-outbox.ts';
import type { MailSender, OutgoingMail, SendOutcome } from '#application/ports/mail/mail-sender.ts';
import type { QueuedMail } from '#domain/mail/queued-mail.ts';
import { movableClock, newId, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { aMail } from '#test/support/mail/mails.ts';

export interface MailDesk {
  readonly outbox: MailOutbox;
  /** What the sender was given, in order. */
  readonly given: readonly OutgoingMail[];
  /** What was logged: level, facts and message. */
  readonly logged: readonly (readonly [level: string, facts: object, message: string])[];
  now(): number;
  advance(ms: number): void;
  queue(mail?: QueuedMail): Promise<QueuedMail>;
  /** Runs the job from beginning to end, `atOnce` times in parallel. */
  run(atOnce?: number, stop?: StopSignals): Promise<void>;
  /** Every mail, oldest first. */
  mails(): Promise<readonly MailSummary[]>;
}

export interface MailDeskOptions {
  /** Without it, every mail is sent. */
  readonly send?: (
    mail: OutgoingMail,
    attempt: number,
    signal: AbortSignal,
  ) => SendOutcome | Promise<SendOutcome>;
  readonly changeOutbox?: (outbox: MailOutbox) => Partial<MailOutbox>;
  /** Called before the storage tells the time. */
  readonly beforeTime?: () => void;
}

export const SENT: SendOutcome = { result: 'sent' };
export const DEFERRED: SendOutcome = {
  result: 'deferred',
  problem: '451 busy (RCPT TO)',
  code: '451 RCPT TO',
};
export const REFUSED: SendOutcome = { result: 'refused', problem: '550 no (RCPT TO)', code: '550 RCPT TO' };
export const UNREACHABLE: SendOutcome = { result: 'unreachable', problem: 'no answer', code: 'ECONNREFUSED' };

export const NEVER: StopSignals = {
  stopping: new AbortController().signal,
  aborting: new AbortController().signal,
};

export function openMailDesk(options: MailDeskOptions = {}): MailDesk {
  const { send = () => SENT, changeOutbox, beforeTime } = options;
  const { clock, moveTo } = movableClock();
  const backend = createMemoryBackend({
    translatePattern,
    digestSecret,
    clock,
    newId,
    hashPassword: async () => 'hash',
  });
  const given: OutgoingMail[] = [];
  const logged: (readonly [string, object, string])[] = [];
  const logAs = (level: string) => (facts: object, message: string) =>
    void logged.push([level, facts, message]);
  const sender: MailSender = async (mail, signal) => {
    given.push(mail);
    return send(mail, given.filter(({ id }) => id === mail.id).length, signal);
  };
  const job = makeMailJob({
    outbox: { ...backend.mailOutbox, ...changeOutbox?.(backend.mailOutbox) },
    send: sender,
    baseUrl: 'https://fleet.example.com',
    clock,
    sharedClock: async () => {
      beforeTime?.();
      return backend.sharedClock();
    },
    log: { debug: logAs('debug'), info: logAs('info'), warn: logAs('warn'), error: logAs('error') },
    random: () => 0.5,
  });
  return {
    outbox: backend.mailOutbox,
    given,
    logged,
    now: clock,
    advance: (ms) => moveTo(clock() + ms),
    queue: async (mail = aMail()) => {
      await backend.unitOfWork(SYSTEM_SCOPE, (tx) => tx.mail(mail));
      return mail;
    },
    run: async (atOnce = 1, stop = NEVER) => {
      await Promise.all(Array.from({ length: atOnce }, () => job.run(stop)));
    },
    mails: async () => (await backend.mailOutbox.list(null, 10_000)).toReversed(),
  };
}
