/** `mail list` and `mail retry` */
import { Command, Option } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { formatTime, printList } from '#adapters/cli/terminal/format-text.ts';
import {
  MAIL_STATUSES,
  type MailRetryRefusal,
  type MailStatus,
  type MailSummary,
} from '#application/ports/mail/mail-outbox.ts';
import { parseId } from '#domain/ids.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';

export function mailCommand(runtime: CliRuntime): Command {
  return new Command('mail')
    .description('List and resend mails')
    .addCommand(listCommand(runtime))
    .addCommand(retryCommand(runtime));
}

interface ListOptions {
  readonly status?: MailStatus;
  readonly limit: string;
  readonly json?: true;
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List mails, newest first')
    .addOption(
      new Option('--status <status>', 'only mails with this status (default: all)').choices(MAIL_STATUSES),
    )
    .option('--limit <n>', 'the maximum number of mails to list', '100')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
queued     is being sent or waits for the next attempt
sent       was accepted by the mail server; address and contents are erased
failed     was rejected, or given up after 72 hours; see PROBLEM, then use mail retry
withdrawn  will not be sent and is erased: the account was deleted, or the mail failed 30 days ago`,
    )
    .action(async ({ status, limit, json }: ListOptions) => {
      if (!/^[1-9][0-9]{0,5}$/.test(limit))
        throw new CommandFailed('--limit must be a number from 1 to 999999');
      const mails = await withBackend(runtime, ({ mailOutbox }) =>
        mailOutbox.list(status ?? null, Number(limit) + 1),
      );
      const shown = mails.slice(0, Number(limit));
      const none = status === undefined ? 'no mails' : `no ${status} mails`;
      printList(json, shown.map(toJson), HEADINGS, shown.map(toCells), none);
      if (shown.length < mails.length) report('(more available; raise --limit)');
    });
}

function toJson({ queuedAt, nextAttemptAt, settledAt, ...mail }: MailSummary): object {
  return {
    ...mail,
    queuedAt: printInstant(queuedAt),
    nextAttemptAt: printInstantOrNull(nextAttemptAt),
    settledAt: printInstantOrNull(settledAt),
  };
}

const HEADINGS = ['ID', 'STATUS', 'KIND', 'TO', 'QUEUED', 'TRIES', 'NEXT TRY OR END', 'PROBLEM'];

function toCells(mail: MailSummary): readonly string[] {
  return [
    mail.id,
    mail.status,
    mail.kind,
    mail.email ?? `(user ${mail.userId})`,
    formatTime(mail.queuedAt),
    String(mail.attempts),
    formatTime(mail.nextAttemptAt ?? mail.settledAt),
    mail.problem ?? '',
  ];
}

interface RetryOptions {
  readonly allFailed?: true;
}

function retryCommand(runtime: CliRuntime): Command {
  return new Command('retry')
    .description('Resend failed mails, or send waiting ones now')
    .argument('[id]', 'the id of the mail, as shown by mail list')
    .option('--all-failed', 'resend every failed mail')
    .addHelpText('after', '\nThe running service or worker sends them.')
    .action(async (id: string | undefined, { allFailed }: RetryOptions) => {
      if ((id === undefined) === (allFailed === undefined)) {
        throw new CommandFailed('pass either the id of a mail or --all-failed');
      }
      const count = await withBackend(runtime, async ({ mailOutbox, sharedClock }) => {
        const now = await sharedClock();
        const entry = { action: 'mail.retried', command: 'mail retry' } as const;
        if (id === undefined) {
          return mailOutbox.retryAllFailed(now, (mails) =>
            systemEntry(runtime, { ...entry, details: { mails } }),
          );
        }
        const mailId = parseId<'mail'>(id);
        const retried =
          mailId === null
            ? null
            : await mailOutbox.retry(mailId, now, () =>
                systemEntry(runtime, { ...entry, resourceId: mailId }),
              );
        if (!retried?.ok) throw new CommandFailed(`mail ${id} ${REFUSALS[retried?.error ?? 'unknown']}`);
        return 1;
      });
      print(`${count} ${count === 1 ? 'mail' : 'mails'} queued for sending`);
    });
}

const REFUSALS: Readonly<Record<MailRetryRefusal, string>> = {
  unknown: 'does not exist',
  sent: 'was already sent',
  withdrawn: 'was withdrawn: its address and contents are erased',
  'being-sent': 'is being sent right now',
};
