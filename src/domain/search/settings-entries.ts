/** Console pages that searches find (Contract: §6). */
import type { Caller } from '#domain/access/caller.ts';
import { mayAdministerUsers } from '#domain/access/permission.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { SearchHit } from './search-hit.ts';

export interface SettingsHit extends SearchHit {
  readonly description: string;
  readonly href: string;
}

/** Pages that contain the text and that the caller may open, unordered. */
export function findSettings(caller: Caller, text: string): readonly SettingsHit[] {
  const folded = foldCase(text);
  return openSettings(caller).filter(
    ({ title, description }) => foldCase(title).includes(folded) || foldCase(description).includes(folded),
  );
}

export function openSettings(caller: Caller): readonly SettingsHit[] {
  return SETTINGS.filter(({ isOpenTo }) => isOpenTo(caller)).map(({ entry }) => entry);
}

interface SettingsPage {
  readonly entry: SettingsHit;
  isOpenTo(caller: Caller): boolean;
}

const toEverybody = () => true;
const toPlatformAdmins = ({ isPlatformAdmin }: Caller) => isPlatformAdmin;

const SETTINGS: readonly SettingsPage[] = [
  page('profile', 'Profile', 'Your name and email address', '/settings/profile', toEverybody),
  page('security', 'Security', 'Password and multi-factor sign-in', '/settings/security', toEverybody),
  page('passkeys', 'Passkeys', 'Fingerprint, face or screen lock', '/settings/security', toEverybody),
  page('api-keys', 'API keys', 'Credentials for other programs', '/settings/api-keys', toEverybody),
  page('saved-filters', 'Saved filters', 'Rule sets for finding and targeting', '/filters', toEverybody),
  page(
    'delete-account',
    'Delete account',
    'Ask for your account to be erased',
    '/account/delete',
    toEverybody,
  ),
  page('people', 'People', 'Who has access, invitations and permissions', '/people', mayAdministerUsers),
  page(
    'identity-providers',
    'Identity providers',
    'Sign-in with Entra, Okta, Google or another OpenID Connect provider',
    '/admin/identity-providers',
    mayAdministerUsers,
  ),
  page('audit-log', 'Audit log', 'Who did what, and when', '/admin/audit-log', mayAdministerUsers),
  page(
    'deletion-requests',
    'Deletion requests',
    'Accounts waiting to be erased',
    '/admin/account-deletion-requests',
    toPlatformAdmins,
  ),
];

function page(
  id: string,
  title: string,
  description: string,
  href: string,
  isOpenTo: SettingsPage['isOpenTo'],
): SettingsPage {
  const beside = [{ field: 'description', value: description }];
  return { entry: { id, title, description, href, beside }, isOpenTo };
}
