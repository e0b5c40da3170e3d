import { formatNumber } from '#console/parts/display/format.ts';
import type { SearchCategory } from '#domain/search/search-category.ts';

const FIELDS: Readonly<Record<string, string>> = {
  hostname: 'host',
  displayName: 'name',
  lastUser: 'user',
  name: 'name',
  description: 'description',
  title: 'title',
  message: 'message',
};

/** The command palette. */
export const paletteWords = {
  title: 'Command palette',
  search: 'Search',
  placeholder: 'Search or jump to…',
  results: 'Results',
  recentDevices: 'Recent devices',
  recentPages: 'Recent pages',
  quickActions: 'Quick actions',
  recent: 'Recent',
  filters: 'Saved filters',
  organizations: 'Organizations',
  categories: {
    devices: 'Devices',
    scripts: 'Scripts',
    alerts: 'Alerts',
    settings: 'Settings',
  } satisfies Record<SearchCategory, string>,
  similar: 'similar name',
  matchIn: (field: string, value: string) => `${FIELDS[field] ?? field} ${value}`,
  devices: (count: number) => `${formatNumber(count)} ${count === 1 ? 'device' : 'devices'}`,
  searching: 'Searching…',
  counted: (count: number) => `${formatNumber(count)} ${count === 1 ? 'result' : 'results'}`,
  nothing: (text: string) => `Nothing found for “${text}”.`,
  nothingYet: 'Nothing here yet.',
  noConnection: 'No connection to the server. Retrying… Recent places still open.',
  copied: (name: string) => `Copied “${name}”.`,
  notCopied: 'Your browser does not allow copying.',
  hints: {
    open: 'open',
    newTab: 'new tab',
    copy: 'copy',
    commands: 'commands',
    filters: 'filters',
    organizations: 'organizations',
  },
  actions: {
    goTo: (title: string) => `Go to ${title}`,
    newFilter: 'New filter',
    exportDevices: 'Export devices',
    addMachine: 'Add a machine',
    shortcuts: 'Keyboard shortcuts',
    help: 'Show or hide help',
    sidebar: 'Change sidebar',
    theme: { light: 'Theme: light', dark: 'Theme: dark', system: 'Theme: match system' },
    deleteAccount: 'Delete account',
    signOut: 'Sign out',
  },
};
