/** The password of a user whom the operator creates or resets. */
import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { PASSWORD_LENGTH, passwordLengthFault } from '#domain/access/password.ts';

export interface NewPassword {
  readonly password: string;
  /** What the operator has to be shown, as nobody has typed it. */
  readonly announcement: string;
}

/** As standard input has it, without the line end; else a random one. */
export async function newPassword(isOnStdin: boolean): Promise<NewPassword> {
  if (!isOnStdin) {
    const password = randomBytes(15).toString('base64url');
    return { password, announcement: `password: ${password}\n(shown only once)\n` };
  }
  const password = (await readAll(process.stdin)).replace(/\r?\n$/, '');
  if (passwordLengthFault(password) !== null) {
    throw new CommandFailed(`the password must have ${PASSWORD_LENGTH}`);
  }
  if (!password.isWellFormed()) throw new CommandFailed('the password must be text');
  return { password, announcement: '' };
}
