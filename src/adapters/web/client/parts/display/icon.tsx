import type { PlacePath } from '#adapters/web/places.ts';

const PATHS = {
  dashboard: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8.5h4.5v5H9zM2.5 11h4.5v2.5H2.5z',
  organizations: 'M2.5 13.5v-8l5-3v11M7.5 6.5h6v7M2 13.5h12M5 7h.01M5 10h.01M10.5 9.5h.01M10.5 11.5h.01',
  devices: 'M2 3h12v8H2zM5.5 13.5h5M8 11v2.5',
  alerts: 'M8 2a4 4 0 0 0-4 4c0 4-1.5 5-1.5 5h11S12 10 12 6a4 4 0 0 0-4-4M6.5 13.5a1.6 1.6 0 0 0 3 0',
  incidents: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5h.01',
  'remote-access': 'M2 3h12v8H2zM6 6l2 2-2 2M9 10h2.5M5.5 13.5h5',
  scripts: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9 3 7 13',
  patches: 'M8 2v7M5 6.5 8 9.5l3-3M2.5 10.5v3h11v-3',
  vulnerabilities: 'M8 1.5 13.5 4v4c0 3.5-2.5 5.5-5.5 6.5-3-1-5.5-3-5.5-6.5V4zM8 5.5v3M8 10.5h.01',
  filters: 'M2 3.5h12M4.5 8h7M6.5 12.5h3',
  deletions:
    'M6.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M2 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M11 5.5l3 3M14 5.5l-3 3',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.9c1.6.5 2.5 1.8 2.5 3.6',
  'audit-log': 'M3 2h7l3 3v9H3zM5.5 7.5h5M5.5 10.5h5M5.5 4.5h2',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10M10.7 10.7 14 14',
  help: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M6.2 6.2A1.9 1.9 0 1 1 8 8.5v.8M8 11.4h.01',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  sidebar: 'M2 2.5h12v11H2zM6 2.5v11',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5 6.5 12 13 4.5',
  external: 'M6 3H3v10h10v-3M9 2.5h4.5V7M13 3 7.5 8.5',
  settings: 'M2 4.5h7M12 4.5h2M10.5 3v3M2 11.5h2M7 11.5h7M5.5 10v3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  edit: 'M3 13l.5-3L11 2.5 13.5 5 6 12.5z',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  undo: 'M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7',
  redo: 'M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 7v4M9.3 7v4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

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
  '/people': 'people',
  '/admin/identity-providers': 'remote-access',
  '/admin/account-deletion-requests': 'deletions',
  '/admin/audit-log': 'audit-log',
} satisfies Partial<Record<PlacePath, IconName>>;
