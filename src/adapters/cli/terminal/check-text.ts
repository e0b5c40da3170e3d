/** Names and addresses as the operator types them. */
import { CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { parseTenantName } from '#domain/fleet/tenant-name.ts';

/** The name without white space around it; a failure that names the option otherwise. */
export function checkName(option: string, text: string): string {
  const name = parseTenantName(text);
  if (!name.ok) throw new CommandFailed(`${option} ${name.error}`);
  return name.value;
}

export function checkEmail(option: string, text: string): string {
  const email = checkName(option, text);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw new CommandFailed(`${option} must be an email address such as jo@example.com, not "${email}"`);
  }
  return email;
}
