import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import type { Backend } from '#application/backend.ts';
import type { MembershipInput } from '#application/people/person-input.ts';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import { PASSWORD_LENGTH, passwordLengthFault } from '#domain/access/password.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { explainPerson } from './membership-options.ts';

export interface UserOptions {
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: true;
}

interface Rights {
  readonly membership: MembershipInput;
  readonly permissions: readonly string[];
  /** Whether people of system scope become platform administrators. */
  readonly isAdministrator: boolean;
}

/** By the rules of `POST /users`, but with a password in place of an invitation. */
export async function createUser(
  runtime: CliRuntime,
  { accounts }: Pick<Backend, 'accounts'>,
  { email, name = email, passwordStdin }: UserOptions,
  { membership: placed, permissions, isAdministrator }: Rights,
): Promise<void> {
  const { parseNewPerson } = await import('#application/people/person-input.ts');
  const parsed = parseNewPerson({ email, name, permissions, ...placed }, new Set(permissions));
  if (!parsed.ok) throw new CommandFailed(explainPerson(email, parsed.error));
  const { membership } = parsed.value;
  const { password, announcement } = await newPassword(passwordStdin === true);
  const user: UserRecord = {
    ...{ kind: 'user', id: runtime.newId<'user'>(), ...parsed.value },
    ...{ password, totpSecret: null, isPlatformAdmin: isAdministrator && membership.scope === 'system' },
  };
  const makeEntry = () =>
    systemEntry(runtime, {
      action: 'user.created',
      command: isAdministrator ? 'admin create' : 'user create',
      resourceId: user.id,
      ...attributionOf(membership),
      details: { scope: membership.scope },
    });
  const created = await accounts.createUser(user, makeEntry);
  if (!created.ok) throw new CommandFailed(ACCOUNT_REFUSALS[created.error]);
  const noun = isAdministrator ? 'administrator' : 'user';
  print(`created ${membership.scope} ${noun} ${user.email} (user ${user.id})${announcement}`);
}

export const ACCOUNT_REFUSALS: Readonly<Record<AccountRefusal, string>> = {
  'email-taken': 'a user with this email already exists',
  'unknown-organization': 'the partner has no such organization',
  'unknown-partner': 'there is no partner with this id',
  'unknown-user': 'there is no active user with this id',
};

interface NewPassword {
  readonly password: string;
  /** Lines that show the generated password; empty if none was generated. */
  readonly announcement: string;
}

export async function newPassword(isOnStdin: boolean): Promise<NewPassword> {
  if (!isOnStdin) {
    const password = randomBytes(15).toString('base64url');
    return { password, announcement: `\npassword: ${password}\n(shown only once)` };
  }
  const password = (await readAll(process.stdin)).replace(/\r?\n$/, '');
  if (passwordLengthFault(password) !== null) {
    throw new CommandFailed(`the password must have ${PASSWORD_LENGTH}`);
  }
  if (!password.isWellFormed()) throw new CommandFailed('the password must be text');
  return { password, announcement: '' };
}
