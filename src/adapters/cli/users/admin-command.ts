/** `admin create`: creates an administrator, such as the first user of a database. */
import { Command } from 'commander';
import type { CliRuntime } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { ADMINISTRATOR_PERMISSIONS } from '#domain/access/permission.ts';
import { createUser, type UserOptions } from './create-user.ts';
import {
  type MembershipOptions,
  ORG_OPTION,
  PARTNER_OPTION,
  scopeOption,
  toMembership,
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
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .action((options: UserOptions & MembershipOptions) =>
      withBackend(runtime, async (backend) => {
        const membership = await toMembership(backend, options, 'system');
        await createUser(runtime, backend, options, {
          membership,
          permissions: ADMINISTRATOR_PERMISSIONS,
          isPlatformAdmin: membership.scope === 'system',
          command: 'admin create',
          noun: 'administrator',
        });
      }),
    );
  return new Command('admin').description('Create administrators').addCommand(create);
}
