/** `user show|set|reset-mfa|disable|enable` follow the rules of `/users/:id` (Contract: §16). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { explainError, operatorAbove, operatorDeps } from '#adapters/cli/operator-call.ts';
import { findOrganization, findPartner } from '#adapters/cli/tenants/find-tenant.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Backend } from '#application/backend.ts';
import type { PersonInput } from '#application/people/person-input.ts';
import type { AccountSummary } from '#application/ports/auth/stores/account-store.ts';
import { ok } from '#domain/result.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import { checkPermissions } from './check-permissions.ts';
import { ORG_OPTION, PARTNER_OPTION, scopeOption } from './membership-options.ts';

export const EMAIL_ARGUMENT = ['<email>', 'the address that they sign in with'] as const;

export function showCommand(runtime: CliRuntime): Command {
  return new Command('show')
    .description('Print a user as JSON')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const person = await withBackend(runtime, async (backend) => {
        const { id } = await findAccount(backend, email);
        return backend.peopleReader.find({ kind: 'system' }, id);
      });
      if (person === null) throw new CommandFailed(`${email} has just left`);
      const { lastSignInAt, createdAt } = person;
      const times = {
        lastSignInAt: printInstantOrNull(lastSignInAt),
        createdAt: printInstant(createdAt),
      };
      print(JSON.stringify({ ...person, ...times }, null, 2));
    });
}

interface SetOptions {
  readonly name?: string;
  readonly permissions?: string;
  readonly scope?: string;
  readonly org?: string;
  readonly partner?: string;
  readonly platformAdmin?: boolean;
}

export function setCommand(runtime: CliRuntime): Command {
  return new Command('set')
    .description('Change a user’s name, permissions, or where they belong')
    .argument(...EMAIL_ARGUMENT)
    .option('--name <name>', 'the new name')
    .option('--permissions <list>', 'comma-separated permissions in place of the former ones; "" for none')
    .addOption(scopeOption('what they may see (default: follows --org or --partner)'))
    .option(...ORG_OPTION)
    .option(...PARTNER_OPTION)
    .option('--platform-admin', 'make them a platform administrator')
    .option('--no-platform-admin', 'take that away')
    .action(async (email: string, options: SetOptions) => {
      if (Object.keys(options).length === 0)
        throw new CommandFailed('say what to change; see user set --help');
      const { name, permissions, scope, org, partner, platformAdmin } = options;
      await changePerson(runtime, email, 'user set', async (backend) => ({
        ...{ name, scope, isPlatformAdmin: platformAdmin },
        permissions: permissions === undefined ? undefined : checkPermissions(permissions),
        orgId: org === undefined ? undefined : await findOrganization(backend, org),
        partnerId: partner === undefined ? undefined : await findPartner(backend, partner),
      }));
      print(`changed ${email}`);
    });
}

export function disableCommand(runtime: CliRuntime): Command {
  return new Command('disable')
    .description('Lock a user out: sessions end, and the password and API keys stop working')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { id } = await changePerson(runtime, email, 'user disable', async () => ({ status: 'disabled' }));
      print(`disabled ${email} (user ${id}); user enable takes it back`);
    });
}

export function enableCommand(runtime: CliRuntime): Command {
  return new Command('enable')
    .description('Let a disabled user sign in again')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const { id } = await changePerson(runtime, email, 'user enable', async () => ({ status: 'active' }));
      print(`enabled ${email} (user ${id})`);
    });
}

/** A change to `disabled` needs an active user, and a change to `active` a disabled one. */
async function changePerson(
  runtime: CliRuntime,
  email: string,
  command: string,
  readChange: (backend: Backend) => Promise<Partial<PersonInput>>,
): Promise<AccountSummary> {
  const { makeChangePerson } = await import('#application/people/change-person.ts');
  return withBackend(runtime, async (backend) => {
    const input = { ...NO_CHANGE, ...(await readChange(backend)) };
    const former = { active: 'disabled', disabled: 'active' }[String(input.status)];
    const user = await findAccount(backend, email, former);
    const given = Array.isArray(input.permissions) ? input.permissions : [];
    const call = operatorAbove(runtime, { permissions: [...user.permissions, ...given] });
    const change = makeChangePerson({ ...backend, ...operatorDeps(runtime, command) });
    const done = await change<never>(call, user.id, async () => ok(input), { kind: 'none' });
    if (!done.ok) throw refused(email, done.error);
    return user;
  });
}

const NO_CHANGE: PersonInput = {
  ...{ name: undefined, permissions: undefined, isPlatformAdmin: undefined, status: undefined },
  ...{ scope: undefined, orgId: undefined, partnerId: undefined, orgIds: undefined },
};

export function resetMfaCommand(runtime: CliRuntime): Command {
  return new Command('reset-mfa')
    .description('Remove a user’s second factors and recovery codes; their sessions end, and they get a mail')
    .argument(...EMAIL_ARGUMENT)
    .action((email: string) => resetMfa(runtime, email, 'user reset-mfa'));
}

export async function resetMfa(runtime: CliRuntime, email: string, command: string): Promise<void> {
  const { makeResetMfaOf } = await import('#application/people/others-access.ts');
  await withBackend(runtime, async (backend) => {
    const user = await findAccount(backend, email);
    if (!user.isMfaEnrolled) throw new CommandFailed(`${email} has no second factor`);
    const reset = makeResetMfaOf({ ...backend, ...operatorDeps(runtime, command) });
    const done = await reset(operatorAbove(runtime, user), user.id);
    if (!done.ok) throw refused(email, done.error);
  });
  print(`${email} no longer has a second factor`);
}

function refused(email: string, error: ApplicationError): CommandFailed {
  if (error.code === 'email_taken') return new CommandFailed(`another user now has the email ${email}`);
  return new CommandFailed(explainError(error, OPTIONS));
}

const OPTIONS = {
  name: '--name',
  permissions: '--permissions',
  scope: '--scope',
  orgId: '--org',
  partnerId: '--partner',
} as const;

/** Without `status`, prefers the active account. */
export async function findAccount(
  { accounts }: Pick<Backend, 'accounts'>,
  email: string,
  status?: string,
): Promise<AccountSummary> {
  const known = await accounts.findAccounts(email);
  const [first] = known;
  const found =
    known.find((account) => account.status === (status ?? 'active')) ??
    (status === undefined ? first : undefined);
  if (found !== undefined) return found;
  throw new CommandFailed(
    first === undefined
      ? `there is no user with the email ${email}; see user list`
      : `${email} is ${first.status}`,
  );
}
