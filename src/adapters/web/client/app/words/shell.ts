import { formatNumber } from '#console/parts/display/format.ts';

export const shellWords = {
  main: 'Main',
  breadcrumbs: 'Breadcrumbs',
  administration: 'Administration',
  waiting: (count: number) => `${formatNumber(count)} waiting`,
  waitingUnknown: 'The number of waiting requests could not be loaded. Trying again in a minute.',
  search: 'Search',
  searchRest: ' or jump to…',
  allOrganizations: 'All organizations',
  organization: 'Organization',
  findOrganization: 'Find an organization',
  noOrganizationCalled: 'No matching organizations',
  retryOrganizations: 'Load organizations again',
  organizationIs: (name: string) => `Organization: ${name}`,
  unknownOrganization: 'Unknown organization',
  unknownOrganizationTitle: 'You can’t view this organization',
  unknownOrganizationText: 'It does not exist, or you don’t have access to it.',
  showAllOrganizations: 'Show all organizations',
  menu: 'Menu',
  help: 'Help',
  skip: 'Skip to content',
  theme: 'Theme',
  themes: { system: 'Match system', light: 'Light', dark: 'Dark' },
  deleteAccount: 'Delete account',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in',
  scopes: {
    organization: 'One organization',
    partner: 'Partner',
    system: 'All organizations',
    none: 'No organization',
  },
};

export const hostPageWords = {
  leading: (title: string) => `${title} is part of another product. Opening it…`,
  open: (title: string) => `Open ${title}`,
  noneTitle: (title: string) => `${title} is not set up`,
  noneText: 'It belongs to another product, which this server has no link to.',
  setting: 'To add the link, set',
};

export const keysWords = {
  title: 'Keyboard shortcuts',
  goTo: 'Go to',
  anywhere: 'Anywhere',
  palette: 'Search or jump to…',
  search: 'Search',
  sidebar: 'Switch sidebar mode',
  card: 'Keyboard shortcuts',
  help: 'Help',
  leave: 'Close the dialog, menu or help',
  note: 'Single-key shortcuts don’t work while you type in a field. You can turn them off in your profile.',
};

export const helpWords = {
  close: 'Close help',
  unloaded: 'The help could not be loaded. Close it and open it again.',
  keys: 'Keys on this page',
  allKeys: 'All keyboard shortcuts',
};
