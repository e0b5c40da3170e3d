/** `user` (Contract: §15, §16). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend, withService } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { printList } from '#adapters/cli/terminal/format-text.ts';
import type { AccountSummary } from '#application/ports/auth/stores/account-store.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import {
  inviteCommand,
  resendCommand,
  revokeKeysCommand,
  signOutCommand,
  withdrawCommand,
} from './access-commands.ts';
import { checkPermissions } from './check-permissions.ts';
import { createUser, newPassword, type UserOptions } from './create-user.ts';
import {
  type MembershipOptions,
  ORG_OPTION,
  ORGS_OPTION,
  PARTNER_OPTION,
  PERMISSIONS_OPTION,
  readNewMembership,
  scopeOption,
} from './membership-options.ts';
import {
  disableCommand,
  EMAIL_ARGUMENT,
  enableCommand,
  findAccount,
  resetMfa,
  resetMfaCommand,
  setCommand,
  showCommand,
} from './person-commands.ts';

export function userCommand(runtime: CliRuntime): Command {
  return new Command('user')
    .description('List, invite, create, change, disable and reset users')
    .addCommand(listCommand(runtime))
    .addCommand(showCommand(runtime))
    .addCommand(inviteCommand(runtime))
    .addCommand(resendCommand(runtime))
    .addCommand(withdrawCommand(runtime))
    .addCommand(createCommand(runtime))
    .addCommand(setCommand(runtime))
    .addCommand(disableCommand(runtime))
    .addCommand(enableCommand(runtime))
    .addCommand(resetCommand(runtime))
    .addCommand(resetMfaCommand(runtime))
    .addCommand(signOutCommand(runtime))
    .addCommand(revokeKeysCommand(runtime));
}

function listCommand(runtime: CliRuntime): Command {
  return new Command('list')
    .description('List users, by email')
    .option('--org <id or name>', 'only those of this organization')
    .option('--json', 'as JSON')
    .action(async ({ org, json }: { readonly org?: string; readonly json?: true }) => {
      const { users, names } = await withBackend(runtime, async (backend) => {
        const orgId = org === undefined ? null : await findOrganization(backend, org);
        const { organizations, partners } = await backend.listTenants();
        const all: readonly { readonly id: string; readonly name: string }[] = [
          ...organizations,
          ...partners,
        ];
        return {
          users: await backend.accounts.listUsers(orgId),
          names: new Map(all.map(({ id, name }) => [id, name])),
        };
      });
      const rows = users.map((user) => toCells(user, (id) => names.get(id) ?? id));
      printList(json, users, HEADINGS, rows, 'no users; create one with user create');
    });
}

const HEADINGS = ['EMAIL', 'NAME', 'STATUS', 'BELONGS TO', 'PERMISSIONS', '2ND FACTOR', 'ID'];

function toCells(user: AccountSummary, nameOf: (id: string) => string): readonly string[] {
  const { id, email, name, status, membership, permissions, isMfaEnrolled } = user;
  return [
    email,
    name,
    status,
    describeMembership(membership, nameOf),
    permissions.join(',') || '-',
    isMfaEnrolled ? 'yes' : 'no',
    id,
  ];
}

function describeMembership(membership: Membership, nameOf: (id: string) => string): string {
  switch (membership.scope) {
    case 'system':
      return 'everything';
    case 'organization':
      return nameOf(membership.orgId);
    case 'partner': {
      const { partnerId, orgIds } = membership;
      const subset =
        orgIds === null ? '' : ` (${orgIds.map(nameOf).join(', ') || 'none of its organizations'})`;
      return `${nameOf(partnerId)}${subset}`;
    }
  }
}

function createCommand(runtime: CliRuntime): Command {
  return new Command('create')
    .description('Create a user; administrators are created with admin create')
    .requiredOption('--email <email>', 'the address that they sign in with')
    .option('--name <name>', 'their name (default: the email)')
    .addOption(scopeOption('what they may see (default: follows --org or --partner)'))
    .option(...ORG_OPTION)
    .option(...PARTNER_OPTION)
    .option(...ORGS_OPTION)
    .option(...PERMISSIONS_OPTION)
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .action((options: UserOptions & MembershipOptions & { readonly permissions?: string }) =>
      withBackend(runtime, async (backend) =>
        createUser(runtime, backend, options, {
          membership: await readNewMembership(backend, options),
          permissions: checkPermissions(options.permissions),
          isAdministrator: false,
        }),
      ),
    );
}

interface ResetOptions {
  readonly password?: true;
  readonly mfa?: true;
  readonly passwordStdin?: true;
}

function resetCommand(runtime: CliRuntime): Command {
  return new Command('reset')
    .description(
      'Set a new password or remove a lost second factor; the user’s sessions end, and they get a mail',
    )
    .argument(...EMAIL_ARGUMENT)
    .option('--password', 'set a new password, generated unless --password-stdin supplies it')
    .option('--password-stdin', 'read the new password from standard input')
    .option('--mfa', 'remove the second factor and recovery codes')
    .action(async (email: string, { password, passwordStdin, mfa }: ResetOptions) => {
      const isPassword = password === true || passwordStdin === true;
      if (!isPassword && mfa !== true) {
        throw new CommandFailed('say what to reset: --password, --mfa, or both');
      }
      if (mfa === true) await resetMfa(runtime, email, 'user reset');
      if (isPassword) await resetPassword(runtime, email, passwordStdin === true);
    });
}

async function resetPassword(runtime: CliRuntime, email: string, isOnStdin: boolean): Promise<void> {
  const { password, announcement } = await newPassword(isOnStdin);
  const { makeSetPassword } = await import('#application/auth/set-password.ts');
  await withService(runtime, async ({ backend, hashPassword }) => {
    const { id, membership } = await findAccount(backend, email, 'active');
    const facts = { action: 'user.password_reset', command: 'user reset', resourceId: id } as const;
    const entry = systemEntry(runtime, { ...facts, ...attributionOf(membership) });
    const setPassword = makeSetPassword({ ...backend, ...runtime, hashPassword });
    if (!(await setPassword(id, password, entry))) {
      throw new CommandFailed(`${email} was changed by someone else in the meantime; see user list`);
    }
  });
  print(`${email} has a new password${announcement}`);
}
