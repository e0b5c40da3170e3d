/** Creates a user, for `admin create` and `user create`. */
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { checkEmail, checkName } from '#adapters/cli/terminal/check-text.ts';
import type { Backend } from '#application/backend.ts';
import type { AccountRefusal } from '#application/ports/auth/stores/account-store.ts';
import type { UserRecord } from '#domain/fleet/fleet-record.ts';
import { newPassword } from './new-password.ts';

export interface UserOptions {
  readonly email: string;
  readonly name?: string;
  readonly passwordStdin?: true;
}

type Rights = Pick<UserRecord, 'membership' | 'permissions' | 'isPlatformAdmin'>;

/** Says what was created, and a generated password, on standard output. `noun`: what they are called there. */
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
  const entry = systemEntry(runtime, {
    action: 'user.created',
    command,
    resourceId: user.id,
    orgId: membership.scope === 'organization' ? membership.orgId : null,
    partnerId: membership.scope === 'partner' ? membership.partnerId : null,
    details: { scope: membership.scope },
  });
  const created = await accounts.createUser(user, entry);
  if (!created.ok) throw new CommandFailed(REFUSALS[created.error]);
  process.stdout.write(`created ${membership.scope} ${noun} ${email} (user ${user.id})\n${announcement}`);
}

const REFUSALS: Readonly<Record<AccountRefusal, string>> = {
  'email-taken': 'a user with this email exists already',
  'unknown-organization': 'there is no organization with this id',
  'unknown-partner': 'there is no partner with this id',
  'unknown-user': 'there is no such user',
};
