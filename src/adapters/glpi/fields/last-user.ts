/** The last user of a device. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The last user to log in, or else the first one logged in; as `DOMAIN\login` if the domain is known. */
export function lastUser({ hardware, users = [] }: InventoryContent): string | null {
  const login = firstText(hardware?.lastloggeduser, ...users.map((user) => user.login));
  const isLast = (user: { readonly login?: string }) =>
    firstText(user.login)?.toLowerCase() === login?.toLowerCase();
  const domain = firstText(users.find(isLast)?.domain);
  return login === null || domain === null || login.includes('\\') ? login : `${domain}\\${login}`;
}
