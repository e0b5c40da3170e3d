/** `admin create` and `admin link` */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import type { Backend } from '#application/backend.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { createUser, type UserOptions } from './create-user.ts';
import {
  type MembershipOptions,
  ORG_OPTION,
  ORGS_OPTION,
  PARTNER_OPTION,
  readMembership,
  scopeOption,
} from './membership-options.ts';

export function adminCommand(runtime: CliRuntime): Command {
  const create = new Command('create')
    .description('Create an administrator (a user with users:write and devices:write)')
    .requiredOption('--email <email>', 'the address that they sign in with')
    .option('--name <name>', 'their name (default: the email)')
    .addOption(
      scopeOption('what they may see and administer (default: follows --org or --partner, else system)'),
    )
    .option(...ORG_OPTION)
    .option(...PARTNER_OPTION)
    .option(...ORGS_OPTION)
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .action((options: UserOptions & MembershipOptions) =>
      withBackend(runtime, async (backend) => {
        const isPlaced = (options.scope ?? options.org ?? options.partner) !== undefined;
        await createUser(runtime, backend, options, {
          membership: await readMembership(backend, isPlaced ? options : { ...options, scope: 'system' }),
          permissions: ADMINISTRATOR_PERMISSIONS,
          isAdministrator: true,
        });
      }),
    );
  const link = new Command('link')
    .description('Print a link with which the first administrator of an empty service begins')
    .action(async () => {
      const url = await withBackend(runtime, (backend) => firstLink(runtime, backend));
      if (url === null) {
        throw new CommandFailed('the service has people already; to add an administrator, use admin create');
      }
      print(url);
      report(`(${FIRST_LINK_LIFETIME})`);
    });
  return new Command('admin').description('Create administrators').addCommand(create).addCommand(link);
}

export const FIRST_LINK_LIFETIME = 'the link works once, within an hour';

/** Null if the service has people. */
export async function firstLink(
  runtime: CliRuntime,
  { unitOfWork }: Pick<Backend, 'unitOfWork'>,
  listensAt?: string,
): Promise<string | null> {
  const { makeFirstLink } = await import('#application/auth/links/invitations.ts');
  const secrets = await runtime.importSecrets();
  const token = await makeFirstLink({ unitOfWork, secrets, clock: runtime.clock })();
  const baseUrl = runtime.config.baseUrl ?? listensAt ?? (await runtime.listensAt());
  return token === null ? null : `${baseUrl}/invitation#${token}`;
}
