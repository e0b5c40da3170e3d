import type { PlacePath } from '#adapters/web/places.ts';
import type { IconName } from './icon.tsx';

/** The icons of pages, by path, wherever there is a way to them. */
export const PAGE_ICONS: Readonly<Record<string, IconName>> = {
  '/': 'dashboard',
  '/organizations': 'organizations',
  '/devices': 'devices',
  '/alerts': 'alerts',
  '/incidents': 'incidents',
  '/remote-access': 'remote-access',
  '/scripts': 'scripts',
  '/patches': 'patches',
  '/vulnerabilities': 'vulnerabilities',
  '/filters': 'filters',
  '/admin/account-deletion-requests': 'deletions',
  '/admin/audit-log': 'audit-log',
} satisfies Partial<Record<PlacePath, IconName>>;
