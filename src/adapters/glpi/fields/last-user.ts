import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The last login, or else the first user logged in; `DOMAIN\login` if the domain is known. */
export function lastUser({ hardware, users = [] }: InventoryContent): string | null {
  const logins = [hardware?.lastloggeduser, ...users.map((user) => user.login)];
  const login = firstText(...logins.filter((text) => !FILE_OF_LOGINS.test(text ?? '')));
  const isLast = (user: { readonly login?: string }) =>
    firstText(user.login)?.toLowerCase() === login?.toLowerCase();
  const domain = firstText(users.find(isLast)?.domain);
  return login === null || domain === null || login.includes('\\') ? login : `${domain}\\${login}`;
}

/**
 * On Unix, after the monthly rotation of the login record, last(1) prints `wtmp begins Tue May 20 00:00:00 2025`, and
 * agents take its first word for a user.
 */
const FILE_OF_LOGINS = /^(?:.*\/)?(?:wtmp(?:db|\.db)?|utx\.log)$/;
