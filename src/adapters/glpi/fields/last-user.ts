/** Who used a device last. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { givenText } from './given-text.ts';

/** The last to log in, or else the first of those logged in; as `DOMAIN\login` where the domain is told. */
export function lastUser({ hardware, users = [] }: InventoryContent): string | null {
  const login = givenText(hardware?.lastloggeduser, ...users.map((user) => user.login));
  const isLast = (user: { readonly login?: string }) =>
    givenText(user.login)?.toLowerCase() === login?.toLowerCase();
  const domain = givenText(users.find(isLast)?.domain);
  return login === null || domain === null || login.includes('\\') ? login : `${domain}\\${login}`;
}
