/** `org` (Contract: §15, §16). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { printList } from '#adapters/cli/terminal/format-text.ts';
import type { Backend } from '#application/backend.ts';
import type { OrganizationRefusal, WantedOrganization } from '#domain/fleet/decide-organization.ts';
import { notOne } from './find-tenant.ts';
import { deleteCommand, renameCommand } from './place-commands.ts';

export function orgCommand(runtime: CliRuntime): Command {
  return new Command('org')
    .description('List, create, rename and delete organizations')
    .addCommand(listCommand(runtime))
    .addCommand(createCommand(runtime))
    .addCommand(renameCommand(runtime, 'organization'))
    .addCommand(deleteCommand(runtime, 'organization'));
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List every organization, by name')
    .option('--json', 'as JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { organizations, partners } = await withBackend(runtime, (backend) => backend.listTenants());
      const nameOf = new Map(partners.map(({ id, name }) => [id, name]));
      const listed = organizations.map((one) => ({ ...one, partnerName: nameOf.get(one.partnerId) ?? '' }));
      const rows = listed.map(({ id, name, partnerName, partnerId }) => [id, name, partnerName, partnerId]);
      const headings = ['ID', 'NAME', 'PARTNER', 'PARTNER ID'];
      printList(json, listed, headings, rows, 'no organizations; create one with org create');
    });
}

interface CreateOptions {
  readonly name: string;
  readonly partner?: string;
}

function createCommand(runtime: CliRuntime): Command {
  return new Command('create')
    .description('Create an organization')
    .requiredOption('--name <name>', 'the name')
    .option(
      '--partner <id or name>',
      'the partner of the organization; created if none has that name (default: the only partner)',
    )
    .action(async ({ name, partner }: CreateOptions) => {
      const wanted = { name, partner: partner ?? null };
      const { organization, newPartner } = await withBackend(runtime, async (backend) => {
        const { makeCreateOrganization } = await import('#application/fleet/create-organization.ts');
        const createOrganization = makeCreateOrganization({
          ...backend,
          makeEntry: (facts) => systemEntry(runtime, { ...facts, command: 'org create' }),
          newId: runtime.newId,
        });
        const created = await createOrganization(wanted);
        if (!created.ok) throw await toFailure(backend, wanted, created.error);
        return created.value;
      });
      if (newPartner !== null) print(`created partner ${newPartner.name} (${newPartner.id})`);
      print(`created organization ${organization.name} (${organization.id})`);
    });
}

async function toFailure(
  { listTenants }: Pick<Backend, 'listTenants'>,
  { partner }: WantedOrganization,
  refusal: OrganizationRefusal,
): Promise<CommandFailed> {
  switch (refusal.reason) {
    case 'invalid-name':
      return new CommandFailed(`--${refusal.member} ${refusal.fault}`);
    case 'name-taken':
      return new CommandFailed(`--name: the partner already has an organization named "${refusal.name}"`);
    case 'partner-needed':
      return new CommandFailed(
        `there are ${refusal.partners} partners; choose one with --partner <id or name>`,
      );
    case 'unclear-partner':
      return notOne(
        '--partner',
        'partner',
        partner ?? '',
        refusal.ids.map((id) => ({ id })),
        (await listTenants()).partners,
      );
  }
}
