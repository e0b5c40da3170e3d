import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { checkEmail, checkName } from '#adapters/cli/terminal/format-text.ts';
import type { Backend } from '#application/backend.ts';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import { attributionOf } from '#domain/access/ownership.ts';
import { PASSWORD_LENGTH, passwordLengthFault } from '#domain/access/password.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';

export interface UserOptions {
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: true;
}

type Rights = Pick<UserRecord, 'membership' | 'permissions' | 'isPlatformAdmin'>;

export async function createUser(
  runtime: CliRuntime,
  { accounts }: Pick<Backend, 'accounts'>,
  options: UserOptions,
  { command, noun, ...rights }: Rights & { readonly command: string; readonly noun: string },
): Promise<void> {
  const email = checkEmail('--email', options.email);
  const name = checkName('--name', options.name ?? email);
  const { password, announcement } = await newPassword(options.passwordStdin === true);
  const user: UserRecord = {
    kind: 'user',
    id: runtime.newId<'user'>(),
    email,
    name,
    password,
    totpSecret: null,
    ...rights,
  };
  const { membership } = user;
  const makeEntry = () =>
    systemEntry(runtime, {
      action: 'user.created',
      command,
      resourceId: user.id,
      ...attributionOf(membership),
      details: { scope: membership.scope },
    });
  const created = await accounts.createUser(user, makeEntry);
  if (!created.ok) throw new CommandFailed(ACCOUNT_REFUSALS[created.error]);
  print(`created ${membership.scope} ${noun} ${email} (user ${user.id})${announcement}`);
}

export const ACCOUNT_REFUSALS: Readonly<Record<AccountRefusal, string>> = {
  'email-taken': 'a user with this email already exists',
  'unknown-organization': 'there is no organization with this id',
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
