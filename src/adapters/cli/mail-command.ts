/** `mail list` and `mail retry`: what is in the outbox, and what to do where something stays in it. */
import { Command, Option } from 'commander';
import {
  MAIL_STATUSES,
  type MailRetryRefusal,
  type MailStatus,
  type MailSummary,
} from '#application/ports/mail/mail-outbox.ts';
import { parseId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { type CliRuntime, CommandFailed } from './cli-runtime.ts';
import { formatTable } from './format-table.ts';

export function mailCommand(runtime: CliRuntime): Command {
  return new Command('mail')
    .description('Mails that the service sends')
    .addCommand(listCommand(runtime))
    .addCommand(retryCommand(runtime));
}

interface ListOptions {
  readonly status?: MailStatus;
  readonly limit: string;
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List mails, newest first')
    .addOption(new Option('--status <status>', 'only those; all where absent').choices(MAIL_STATUSES))
    .option('--limit <n>', 'at most so many', '100')
    .addHelpText(
      'after',
      `
queued     is being sent, or waits for its next attempt
sent       was handed to the mail server; address and contents are forgotten
failed     was refused for good, or given up after 72 hours: see PROBLEM, then mail retry
withdrawn  was not sent, and is forgotten: the account was deleted, or it failed 30 days ago`,
    )
    .action(async ({ status, limit }: ListOptions) => {
      if (!/^[1-9][0-9]{0,5}$/.test(limit))
        throw new CommandFailed('--limit must be a number from 1 to 999999');
      const mails = await runtime.withBackend(({ mailOutbox }) =>
        mailOutbox.list(status ?? null, Number(limit) + 1),
      );
      if (mails.length === 0) {
        process.stderr.write(status === undefined ? 'there is no mail\n' : `there is no ${status} mail\n`);
        return;
      }
      const shown = mails.slice(0, Number(limit));
      process.stdout.write(`${formatTable(HEADINGS, shown.map(toCells))}\n`);
      if (shown.length < mails.length) process.stderr.write(`(there are more; see --limit)\n`);
    });
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

/** As `2026-11-21 19:25:07Z`. */
function formatTime(instant: EpochMs | null): string {
  return instant === null ? '' : `${new Date(instant).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

interface RetryOptions {
  readonly allFailed?: true;
}

function retryCommand(runtime: CliRuntime): Command {
  return new Command('retry')
    .description('Have mails sent again that failed, or sooner that wait')
    .argument('[id]', 'the mail, as mail list has it')
    .option('--all-failed', 'every failed mail')
    .addHelpText('after', '\nThey are sent by the running service, or by fleetsift work.')
    .action(async (id: string | undefined, { allFailed }: RetryOptions) => {
      if ((id === undefined) === (allFailed === undefined)) {
        throw new CommandFailed('name one mail by its id, or --all-failed');
      }
      const count = await runtime.withBackend(async ({ mailOutbox }) => {
        if (id === undefined) return mailOutbox.retryAllFailed(runtime.clock());
        const mailId = parseId<'mail'>(id);
        const retried = mailId === null ? null : await mailOutbox.retry(mailId, runtime.clock());
        if (!retried?.ok) throw new CommandFailed(`mail ${id} ${REFUSALS[retried?.error ?? 'unknown']}`);
        return 1;
      });
      process.stdout.write(`${count} ${count === 1 ? 'mail is' : 'mails are'} to be sent again\n`);
    });
}

const REFUSALS: Readonly<Record<MailRetryRefusal, string>> = {
  unknown: 'is not there',
  sent: 'was sent already',
  withdrawn: 'was withdrawn: its address and contents are forgotten',
  'being-sent': 'is being sent just now',
};
