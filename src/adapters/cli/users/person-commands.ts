/** `user show|set|reset-mfa|disable|enable` follow the rules of `/users/:id` (Contract: §16). */
import { Command, Option } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { operatorAbove, operatorDeps } from '#adapters/cli/operator-call.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { Backend } from '#application/backend.ts';
import type { Call } from '#application/call.ts';
import type { PersonInput } from '#application/people/person-input.ts';
import type { AccountSummary } from '#application/ports/auth/stores/account-store.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import { ok, type Result } from '#domain/result.ts';
import { printInstant, printInstantOrNull } from '#domain/text/iso-instant.ts';
import { checkPermissions } from './check-permissions.ts';
import {
  explainPerson,
  type MembershipOptions,
  ORG_OPTION,
  PARTNER_OPTION,
  readMembership,
  scopeOption,
} from './membership-options.ts';

export const EMAIL_ARGUMENT = ['<email>', 'the address that they sign in with'] as const;

export function showCommand(runtime: CliRuntime): Command {
  return new Command('show')
    .description('Print a user as JSON, as GET /users/:id does')
    .argument(...EMAIL_ARGUMENT)
    .action(async (email: string) => {
      const person = await withBackend(runtime, async (backend) => {
        const { id } = await findAccount(backend, email);
        return backend.peopleReader.find({ kind: 'system' }, id);
      });
      if (person === null) throw new CommandFailed(`${email} has just left`);
      const { membership, lastSignInAt, createdAt, ...others } = person;
      const shown = {
        ...others,
        ...{ scope: membership.scope, ...attributionOf(membership) },
        orgIds: membership.scope === 'partner' ? membership.orgIds : null,
        ...{ lastSignInAt: printInstantOrNull(lastSignInAt), createdAt: printInstant(createdAt) },
      };
      print(JSON.stringify(shown, null, 2));
    });
}

interface SetOptions extends MembershipOptions {
  readonly name?: string;
  readonly permissions?: string;
  readonly allOrgs?: true;
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
    .addOption(new Option('--orgs <list>', SUBSET).conflicts('allOrgs'))
    .option('--all-orgs', 'they reach all organizations of their partner')
    .option('--platform-admin', 'make them a platform administrator')
    .option('--no-platform-admin', 'take that away')
    .action(async (email: string, options: SetOptions) => {
      if (Object.keys(options).length === 0)
        throw new CommandFailed('say what to change; see user set --help');
      const { name, permissions, allOrgs, platformAdmin, ...place } = options;
      await changePerson(runtime, email, 'user set', async (backend) => ({
        ...{ name, isPlatformAdmin: platformAdmin },
        permissions: permissions === undefined ? undefined : checkPermissions(permissions),
        ...(await readMembership(backend, place)),
        ...(allOrgs && { orgIds: null }),
      }));
      print(`changed ${email}`);
    });
}

const SUBSET = "comma-separated ids or names of the partner's organizations that they reach from now on";

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
    if (!done.ok) throw new CommandFailed(explainPerson(email, done.error));
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
  await actOn(runtime, email, undefined, (backend, call, { id, isMfaEnrolled }) => {
    if (!isMfaEnrolled) throw new CommandFailed(`${email} has no second factor`);
    return makeResetMfaOf({ ...backend, ...operatorDeps(runtime, command) })(call, id);
  });
  print(`${email} no longer has a second factor`);
}

/** Runs a use case on the user with the email, as an operator who may change them. */
export async function actOn(
  runtime: CliRuntime,
  email: string,
  status: AccountSummary['status'] | undefined,
  work: (backend: Backend, call: Call, user: AccountSummary) => Promise<Result<unknown, ApplicationError>>,
): Promise<void> {
  const done = await withBackend(runtime, async (backend) => {
    const user = await findAccount(backend, email, status);
    return work(backend, operatorAbove(runtime, user), user);
  });
  if (!done.ok) throw new CommandFailed(explainPerson(email, done.error));
}

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
