/** `user`: lists, creates, disables and resets the users of a service (Contract: §15). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend, withService } from '#adapters/cli/open-service.ts';
import { systemEntry, tenantOf } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { formatTable } from '#adapters/cli/terminal/format-text.ts';
import type { AccountAdministration } from '#application/auth/administer-accounts.ts';
import type { AccountSummary } from '#application/ports/auth/stores/account-store.ts';
import type { AuditAction, AuditEntry } from '#domain/audit/audit-entry.ts';
import type { Membership } from '#domain/fleet/fleet-record.ts';
import { checkPermissions } from './check-permissions.ts';
import { createUser, newPassword, type UserOptions } from './create-user.ts';
import {
  type MembershipOptions,
  ORG_OPTION,
  PARTNER_OPTION,
  scopeOption,
  toMembership,
} from './membership-options.ts';

export function userCommand(runtime: CliRuntime): Command {
  return new Command('user')
    .description('List, create, disable and reset users')
    .addCommand(listCommand(runtime))
    .addCommand(createCommand(runtime))
    .addCommand(disableCommand(runtime))
    .addCommand(enableCommand(runtime))
    .addCommand(resetCommand(runtime));
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
      if (json === true) print(JSON.stringify(users, null, 2));
      else if (users.length === 0) report('no users; create one with user create');
      else {
        const rows = users.map((user) => toCells(user, (id) => names.get(id) ?? id));
        print(formatTable(HEADINGS, rows));
      }
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
    .option(
      '--permissions <list>',
      'comma-separated permissions, such as users:write,devices:write (default: none)',
    )
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .action((options: UserOptions & MembershipOptions & { readonly permissions?: string }) =>
      withBackend(runtime, async (backend) =>
        createUser(runtime, backend, options, {
          membership: await toMembership(backend, options, null),
          permissions: checkPermissions(options.permissions),
          isPlatformAdmin: false,
          command: 'user create',
          noun: 'user',
        }),
      ),
    );
}

function disableCommand(runtime: CliRuntime): Command {
  return new Command('disable')
    .description('Lock a user out: sessions end, and the password and API keys stop working')
    .argument('<email>', 'the address that they sign in with')
    .action(async (email: string) => {
      const { id } = await administer(runtime, email, 'active', {
        action: 'user.disabled',
        command: 'user disable',
        change: async ({ disable }, user, entry) => {
          const outcome = await disable(user.id, entry);
          if (outcome !== 'last-administrator') return outcome;
          throw new CommandFailed(`${email} is the last active administrator of the whole service`);
        },
      });
      print(`disabled ${email} (user ${id}); user enable takes it back`);
    });
}

function enableCommand(runtime: CliRuntime): Command {
  return new Command('enable')
    .description('Let a disabled user sign in again')
    .argument('<email>', 'the address that they sign in with')
    .action(async (email: string) => {
      const { id } = await administer(runtime, email, 'disabled', {
        action: 'user.enabled',
        command: 'user enable',
        change: async ({ enable }, user, entry) => {
          const outcome = await enable(user.id, entry);
          if (outcome === 'email-taken') throw new CommandFailed(`another user now has the email ${email}`);
          return outcome;
        },
      });
      print(`enabled ${email} (user ${id})`);
    });
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
    .argument('<email>', 'the address that they sign in with')
    .option('--password', 'set a new password, generated unless --password-stdin supplies it')
    .option('--password-stdin', 'read the new password from standard input')
    .option('--mfa', 'remove the second factor and recovery codes')
    .action(async (email: string, options: ResetOptions) => {
      const isPassword = options.password === true || options.passwordStdin === true;
      if (!isPassword && options.mfa !== true) {
        throw new CommandFailed('say what to reset: --password, --mfa, or both');
      }
      if (options.mfa === true) {
        await administer(runtime, email, 'active', {
          action: 'user.mfa_reset',
          command: 'user reset',
          change: async ({ resetMfa }, user, entry) => {
            if (!user.isMfaEnrolled) throw new CommandFailed(`${email} has no second factor`);
            return resetMfa(user.id, entry);
          },
        });
        print(`${email} no longer has a second factor`);
      }
      if (!isPassword) return;
      const { password, announcement } = await newPassword(options.passwordStdin === true);
      await administer(runtime, email, 'active', {
        action: 'user.password_reset',
        command: 'user reset',
        change: ({ resetPassword }, user, entry) => resetPassword(user.id, password, entry),
      });
      print(`${email} has a new password${announcement}`);
    });
}

interface Administering {
  readonly action: AuditAction;
  /** As the operator types it. */
  readonly command: string;
  readonly change: (
    administration: AccountAdministration,
    user: AccountSummary,
    entry: AuditEntry,
  ) => Promise<boolean>;
}

/** Fails if no account has this email and status. */
function administer(
  runtime: CliRuntime,
  email: string,
  status: AccountSummary['status'],
  { action, command, change }: Administering,
): Promise<AccountSummary> {
  return withService(runtime, async (service) => {
    const { accounts, unitOfWork } = service.backend;
    const known = await accounts.findAccounts(email);
    const user = known.find((account) => account.status === status);
    if (user === undefined) throw new CommandFailed(whyNot(email, known));
    const entry = systemEntry(runtime, {
      action,
      command,
      resourceId: user.id,
      ...tenantOf(user.membership),
    });
    const { makeAccountAdministration } = await import('#application/auth/administer-accounts.ts');
    const administration = makeAccountAdministration({
      ...runtime,
      unitOfWork,
      hashPassword: service.hashPassword,
    });
    if (!(await change(administration, user, entry))) {
      throw new CommandFailed(`${email} was changed by someone else in the meantime; see user list`);
    }
    return user;
  });
}

function whyNot(email: string, known: readonly AccountSummary[]): string {
  const [account] = known;
  return account === undefined
    ? `there is no user with the email ${email}; see user list`
    : `${email} is ${account.status}`;
}
