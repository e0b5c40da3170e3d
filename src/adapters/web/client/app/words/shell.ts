/** What stands around every page. */
export const shellWords = {
  main: 'Main',
  breadcrumbs: 'Breadcrumbs',
  administration: 'Administration',
  search: 'Search',
  searchRest: ' or jump to…',
  allOrganizations: 'All organizations',
  organization: 'Organization',
  findOrganization: 'Find an organization',
  noOrganizationCalled: 'No organization is called that.',
  retryOrganizations: 'Load organizations again',
  organizationIs: (name: string) => `Organization: ${name}`,
  unknownOrganization: 'Not one of your organizations',
  unknownOrganizationTitle: 'Nothing can be shown',
  unknownOrganizationText:
    'This address shows one organization alone, which does not exist or is not yours to see.',
  showAllOrganizations: 'Show all organizations',
  menu: 'Menu',
  help: 'Help',
  skip: 'Skip to the page',
  sidebar: {
    open: 'Sidebar: open',
    'auto-hide': 'Sidebar: opens at the edge',
    icons: 'Sidebar: icons',
  },
  profile: 'Profile',
  security: 'Security',
  apiKeys: 'API keys',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
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

/** The places that belong to a host product. */
export const hostPageWords = {
  leading: (title: string) => `${title} is part of another product here. It opens by itself.`,
  open: (title: string) => `Open ${title}`,
  noneTitle: (title: string) => `${title} is not set up here`,
  noneText:
    'It belongs to the product that Fleetsift is used with. Whoever runs this server can link it with',
};
