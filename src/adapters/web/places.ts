/**
 * All pages of the console (Contract: §14). Other addresses are a 404. Navigation, palette and shortcuts follow from
 * this list.
 */

export interface Place {
  readonly path: string;
  readonly title: string;
  /** The key that, after `g`, opens the page (Spec: Web client behaviors). */
  readonly chord?: string;
  /** Absent for pages in neither the sidebar nor the settings. */
  readonly section?: 'main' | 'administration' | 'settings';
  /** A host product's page is in the sidebar only if its address is configured. */
  readonly hostPage?: keyof HostPages;
  /** Shown without a session. */
  readonly isPublic?: boolean;
}

/** Addresses from the configuration; null if not set. */
export interface HostPages {
  readonly incidents: string | null;
  readonly remoteAccess: string | null;
  readonly vulnerabilities: string | null;
}

export const PLACES = [
  { path: '/', title: 'Dashboard', chord: 'h', section: 'main' },
  { path: '/organizations', title: 'Organizations', chord: 'o', section: 'main' },
  { path: '/organizations/:id', title: 'Organization' },
  { path: '/devices', title: 'Devices & Assets', chord: 'd', section: 'main' },
  { path: '/devices/duplicates', title: 'Duplicates' },
  { path: '/devices/:id', title: 'Device' },
  { path: '/alerts', title: 'Alerts', chord: 'a', section: 'main' },
  { path: '/alerts/:id', title: 'Alert' },
  {
    path: '/incidents',
    title: 'Incidents',
    chord: 'i',
    section: 'main',
    hostPage: 'incidents',
  },
  {
    path: '/remote-access',
    title: 'Remote Access',
    chord: 'r',
    section: 'main',
    hostPage: 'remoteAccess',
  },
  { path: '/scripts', title: 'Scripts', chord: 's', section: 'main' },
  { path: '/patches', title: 'Patches', chord: 'p', section: 'main' },
  {
    path: '/vulnerabilities',
    title: 'Vulnerabilities',
    chord: 'v',
    section: 'main',
    hostPage: 'vulnerabilities',
  },
  { path: '/filters', title: 'Saved filters', section: 'main' },
  { path: '/filters/new', title: 'New filter' },
  { path: '/filters/:id', title: 'Filter' },
  { path: '/people', title: 'People', section: 'administration' },
  { path: '/people/:id', title: 'Person' },
  { path: '/admin/identity-providers', title: 'Identity providers', section: 'administration' },
  { path: '/admin/account-deletion-requests', title: 'Deletion Requests', section: 'administration' },
  { path: '/admin/account-deletion-requests/:id', title: 'Deletion request' },
  { path: '/admin/audit-log', title: 'Audit log', section: 'administration' },
  { path: '/settings/profile', title: 'Profile', section: 'settings' },
  { path: '/settings/security', title: 'Security', section: 'settings' },
  { path: '/settings/api-keys', title: 'API keys', section: 'settings' },
  { path: '/login', title: 'Sign in', isPublic: true },
  { path: '/invitation', title: 'Set your password', isPublic: true },
  { path: '/reset-password', title: 'Forgot your password?', isPublic: true },
] as const satisfies readonly Place[];

export type PlacePath = (typeof PLACES)[number]['path'];

/** Loads without the rest of the console (Spec: Web client behaviors). */
export const ACCOUNT_DELETION_PATH = '/account/delete';

/** A trailing slash is ignored. */
export function isPlace(pathname: string): boolean {
  const path = pathname.replace(/(?<=[^/])\/$/, '');
  return path === ACCOUNT_DELETION_PATH || PATTERNS.some((pattern) => pattern.test(path));
}

const PATTERNS = PLACES.map(({ path }) => new RegExp(`^${path.replace(':id', '[^/]+')}$`));
