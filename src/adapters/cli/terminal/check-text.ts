/** Names and addresses as the operator types them. */
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { unindexableReason } from '#domain/text/storable-text.ts';

/** The text without white space around it; a failure that names the option where there is nothing to see in it. */
export function checkName(option: string, text: string): string {
  const reason = unindexableReason(text) ?? (VISIBLE.test(text) ? null : 'must not be empty');
  if (reason !== null) throw new CommandFailed(`${option} ${reason}`);
  if (/\p{Cc}/u.test(text.trim())) {
    throw new CommandFailed(`${option} must be one line, without control characters`);
  }
  return text.trim();
}

export function checkEmail(option: string, text: string): string {
  const email = checkName(option, text);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw new CommandFailed(`${option} must be an email address such as jo@example.com, not "${email}"`);
  }
  return email;
}

const VISIBLE = /[^\s\p{C}\p{Z}]/u;
