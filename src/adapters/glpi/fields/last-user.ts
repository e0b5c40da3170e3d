/** The last user of a device. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The last user to log in, or else the first one logged in; as `DOMAIN\login` if the domain is known. */
export function lastUser({ hardware, users = [] }: InventoryContent): string | null {
  const logins = [hardware?.lastloggeduser, ...users.map((user) => user.login)];
  const login = firstText(...logins.filter((text) => !FILE_OF_LOGINS.test(text ?? '')));
  const isLast = (user: { readonly login?: string }) =>
    firstText(user.login)?.toLowerCase() === login?.toLowerCase();
  const domain = firstText(users.find(isLast)?.domain);
  return login === null || domain === null || login.includes('\\') ? login : `${domain}\\${login}`;
}

/**
 * What stands for a user on Unix where nobody has logged in since the record of logins was begun anew, which is done
 * monthly: agents take the first word of what last(1) prints, here of `wtmp begins Tue May 20 00:00:00 2025`.
 */
const FILE_OF_LOGINS = /^(?:.*\/)?(?:wtmp(?:db|\.db)?|utx\.log)$/;
