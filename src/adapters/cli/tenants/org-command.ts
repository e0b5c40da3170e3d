/** `org`: lists and creates organizations (Contract: §15). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { checkName } from '#adapters/cli/terminal/check-text.ts';
import { formatTable } from '#adapters/cli/terminal/format-table.ts';
import type { Backend } from '#application/backend.ts';
import type { OrganizationRecord, PartnerRecord } from '#domain/fleet/fleet-record.ts';
import { parseId } from '#domain/ids.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import { findPartner } from './find-tenant.ts';

export function orgCommand(runtime: CliRuntime): Command {
  return new Command('org')
    .description('List and create organizations')
    .addCommand(listCommand(runtime))
    .addCommand(createCommand(runtime));
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List every organization, by name')
    .option('--json', 'as JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { organizations, partners } = await withBackend(runtime, (backend) => backend.listTenants());
      const nameOf = new Map(partners.map(({ id, name }) => [id, name]));
      const listed = organizations.map((one) => ({ ...one, partnerName: nameOf.get(one.partnerId) ?? '' }));
      if (json === true) process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`);
      else if (listed.length === 0) process.stderr.write('no organizations; create one with org create\n');
      else {
        const rows = listed.map(({ id, name, partnerName, partnerId }) => [id, name, partnerName, partnerId]);
        process.stdout.write(`${formatTable(['ID', 'NAME', 'PARTNER', 'PARTNER ID'], rows)}\n`);
      }
    });
}

interface CreateOptions {
  readonly name: string;
  readonly partner?: string;
}

function createCommand(runtime: CliRuntime): Command {
  return new Command('create')
    .description('Create an organization')
    .requiredOption('--name <name>', 'its name')
    .option(
      '--partner <id or name>',
      'the partner that looks after it; created if none has that name (default: the only one there is)',
    )
    .action(async (options: CreateOptions) => {
      const { organization, partner } = await withBackend(runtime, (backend) =>
        createOrganization(runtime, backend, options),
      );
      if (partner !== null) process.stdout.write(`created partner ${partner.name} (${partner.id})\n`);
      process.stdout.write(`created organization ${organization.name} (${organization.id})\n`);
    });
}

interface Created {
  readonly organization: OrganizationRecord;
  /** Null if there was one. */
  readonly partner: PartnerRecord | null;
}

async function createOrganization(
  runtime: CliRuntime,
  backend: Backend,
  options: CreateOptions,
): Promise<Created> {
  const name = checkName('--name', options.name);
  const { partners, organizations } = await backend.listTenants();
  const known = await findOwner(backend, partners, options.partner);
  const partner: PartnerRecord | null =
    known === null
      ? {
          kind: 'partner',
          id: runtime.newId<'partner'>(),
          name: checkName('--partner', options.partner ?? name),
        }
      : null;
  const partnerId = known ?? partner?.id;
  if (partnerId === undefined) throw new Error('an organization without a partner');
  const isTaken = organizations.some(
    (other) => other.partnerId === partnerId && foldCase(other.name) === foldCase(name),
  );
  if (isTaken) throw new CommandFailed(`--name: the partner has an organization named "${name}" already`);
  const organization: OrganizationRecord = {
    kind: 'organization',
    id: runtime.newId<'organization'>(),
    partnerId,
    name,
  };
  const records = [...(partner === null ? [] : [partner]), organization];
  const located = records.map((record, i) => ({ record, line: i + 1, member: record.kind }));
  const written = await backend.fleetWriter(located, undefined, () =>
    systemEntry(runtime, {
      action: 'organization.created',
      command: 'org create',
      resourceId: organization.id,
      orgId: organization.id,
      partnerId,
    }),
  );
  if (!written.ok) throw new CommandFailed(written.error.map(({ message }) => message).join('\n'));
  return { organization, partner };
}

/** Null if one is to be created. */
async function findOwner(
  backend: Backend,
  partners: readonly Omit<PartnerRecord, 'kind'>[],
  typed: string | undefined,
): Promise<PartnerRecord['id'] | null> {
  if (typed !== undefined) {
    const isKnown = partners.some(({ name }) => foldCase(name) === foldCase(typed.trim()));
    // An id is nobody's name: one that is not known is mistyped.
    return isKnown || parseId(typed.trim()) !== null ? findPartner(backend, typed.trim()) : null;
  }
  const [only, ...others] = partners;
  if (others.length > 0) {
    throw new CommandFailed(
      `there are ${partners.length} partners; say which one looks after it with --partner <id or name>`,
    );
  }
  return only?.id ?? null;
}
