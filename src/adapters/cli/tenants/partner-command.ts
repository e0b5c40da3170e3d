/** `partner` (Contract: §15, §16; docs/scaling.md). A partner's data is read-only while it moves. */
import { Command } from 'commander';
import { type CliRuntime, type CliService, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { databaseToolsOf, withBackend, withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { printList } from '#adapters/cli/terminal/format-text.ts';
import type { RemovalRefusal } from '#application/ports/partner-maintenance.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import type { PartnerId } from '#domain/ids.ts';
import { findPartner } from './find-tenant.ts';
import { createCommand, renameCommand } from './place-commands.ts';

interface PartnerOptions {
  readonly partner: string;
}

export function partnerCommand(runtime: CliRuntime): Command {
  const maintenance = new Command('maintenance')
    .description('Make a partner read-only while it is moved')
    .addCommand(onCommand(runtime))
    .addCommand(offCommand(runtime));
  return new Command('partner')
    .description('List, create and rename partners, or move one to another database')
    .addCommand(listCommand(runtime))
    .addCommand(createCommand(runtime, 'partner'))
    .addCommand(renameCommand(runtime, 'partner'))
    .addCommand(maintenance)
    .addCommand(checkCommand(runtime))
    .addCommand(removeCommand(runtime));
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List every partner, by name')
    .option('--json', 'as JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { partners } = await withBackend(runtime, (backend) => backend.listTenants());
      const rows = partners.map(({ id, name }) => [id, name]);
      printList(json, partners, ['ID', 'NAME'], rows, 'no partners; create one with partner create');
    });
}

function onCommand(runtime: CliRuntime): Command {
  return commandOf('on', 'Make the partner’s data read-only')
    .addHelpText('after', '\nWaits for all changes in progress, so that a later dump is complete.')
    .action((options: PartnerOptions) =>
      withPartner(runtime, options, async ({ partnerId, tools, entryOf }) => {
        let reported = 0;
        const isNew = await tools.begin(partnerId, entryOf('partner.maintenance_began', 'on'), (open) => {
          if (open !== reported) report(`waiting for ${open} transaction${open === 1 ? '' : 's'} to end`);
          reported = open;
        });
        print(isNew ? 'the partner is read-only' : 'the partner was read-only already');
      }),
    );
}

function offCommand(runtime: CliRuntime): Command {
  return commandOf('off', 'Allow changes again').action((options: PartnerOptions) =>
    withPartner(runtime, options, async ({ partnerId, tools, entryOf }) => {
      const wasOn = await tools.end(partnerId, entryOf('partner.maintenance_ended', 'off'));
      print(wasOn ? 'the partner’s data can be changed again' : 'the partner was not in maintenance');
    }),
  );
}

function checkCommand(runtime: CliRuntime): Command {
  return commandOf('check', 'List what connects the partner to other data in this database').action(
    (options: PartnerOptions) =>
      withPartner(runtime, options, async ({ partnerId, tools }) => {
        const { staff, foreignKeys, waitingMails } = await tools.findTies(partnerId);
        const lines = [
          ...staff.map(
            ({ id, email }) =>
              `user with access to everything, whose credentials a dump leaves out: ${email} (${id})`,
          ),
          ...(foreignKeys === 0
            ? []
            : [`API keys of users with access to everything, which stay behind: ${foreignKeys}`]),
          ...(waitingMails === 0 ? [] : [`queued mails, which are still sent from here: ${waitingMails}`]),
        ];
        print(lines.length === 0 ? 'nothing spans partners' : lines.join('\n'));
      }),
  );
}

function removeCommand(runtime: CliRuntime): Command {
  return commandOf('remove', 'Remove everything of a partner in maintenance, except the audit log').action(
    (options: PartnerOptions) =>
      withPartner(runtime, options, async ({ partnerId, tools, entryOf }) => {
        const refusal = await tools.remove(partnerId, entryOf('partner.removed', 'remove'));
        if (refusal !== null) throw new CommandFailed(REFUSALS[refusal]);
        print('the partner was removed; its audit log stays');
      }),
  );
}

const REFUSALS: Readonly<Record<RemovalRefusal, string>> = {
  'not-in-maintenance':
    'the partner is not in maintenance, so its data may have changed since the dump; run partner maintenance on, dump it again, and load the dump into the other database',
  'mails-waiting': 'mails to the partner’s users are still queued here; wait until mail list shows none',
};

function commandOf(name: string, description: string): Command {
  return new Command(name).description(description).requiredOption('--partner <id or name>', 'the partner');
}

interface Work {
  readonly partnerId: PartnerId;
  readonly tools: ReturnType<typeof databaseToolsOf>['partnerMaintenance'];
  readonly entryOf: (action: AuditAction, name: string) => () => ReturnType<typeof systemEntry>;
}

function withPartner(
  runtime: CliRuntime,
  { partner }: PartnerOptions,
  work: (work: Work) => Promise<void>,
): Promise<void> {
  return withService(runtime, async (service: CliService) => {
    const partnerId = await findPartner(service.backend, partner);
    await work({
      partnerId,
      tools: databaseToolsOf(service).partnerMaintenance,
      entryOf: (action, name) => {
        const command = action === 'partner.removed' ? `partner ${name}` : `partner maintenance ${name}`;
        return () => systemEntry(runtime, { action, command, resourceId: partnerId, partnerId });
      },
    });
  });
}
