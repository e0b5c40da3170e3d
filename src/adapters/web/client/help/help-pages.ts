/** The short pages of the help panel, by the place that they are about. They are loaded with the panel alone. */

export interface HelpPage {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Texts to try in a filter bar, with what they mean. */
  readonly examples?: readonly { readonly text: string; readonly meaning: string }[];
}

const FILTER_EXAMPLES = [
  { text: 'status:online os:windows', meaning: 'online, and Windows' },
  { text: 'tags:vip,finance', meaning: 'tagged vip or finance' },
  { text: 'seen:>7d', meaning: 'not seen within 7 days' },
  { text: 'disk:>90 -role:printer', meaning: 'disk over 90 %, and no printer' },
  { text: '(os:macos OR os:linux) user:mia', meaning: 'either system, and a user named like mia' },
];

const PAGES: readonly (readonly [path: string, page: HelpPage])[] = [
  [
    '/devices/:id',
    {
      title: 'One device',
      paragraphs: [
        'Everything the device last reported, by tabs. A dash is a value that it never sent.',
        'Name, tags and custom fields can be edited in place by those who may change devices: Enter saves, Esc leaves everything as it was. If somebody else changed the device meanwhile, a message says so, and nothing is overwritten.',
        'The tab with filters lists the saved filters that match this device, and why.',
      ],
    },
  ],
  [
    '/devices',
    {
      title: 'Devices & Assets',
      paragraphs: [
        'Type a filter above the table. Terms beside each other must all be met; OR, NOT and parentheses work as they read. A word without a key is searched for in the name, the host name and the last user.',
        'Each condition is a chip below the filter: open it to change it in a form, press minus on it for the opposite, Delete to remove it.',
        'The address holds the filter, the order and the organization: copy it to send somebody the same view.',
        'Save as filter keeps it under a name. Export writes all devices that match, not just those on the screen.',
      ],
      examples: FILTER_EXAMPLES,
    },
  ],
  [
    '/filters/:id',
    {
      title: 'Building a filter',
      paragraphs: [
        'Builder, Text and JSON are three views of the same conditions: change any of them, and nothing is lost when you switch.',
        'The number beside a condition is how many devices it matches alone. A condition that changes nothing is marked, and so is one without which a group that is empty would match devices.',
        'Pick a device below to see why it is in, or why not.',
        'Leaving with changes asks first. If somebody else saves the filter meanwhile, you see what differs, and where you changed different parts, both can be saved.',
      ],
      examples: FILTER_EXAMPLES,
    },
  ],
  [
    '/filters',
    {
      title: 'Saved filters',
      paragraphs: [
        'A filter is a named set of conditions. Its devices are those that meet them now, not those that did when it was saved.',
        'It belongs to one organization. Deleting can be undone for ten seconds, by Ctrl+Z as well.',
      ],
    },
  ],
  [
    '/organizations',
    {
      title: 'Organizations',
      paragraphs: [
        'Every organization you can reach, with its devices. Choose one at the top of the sidebar to narrow every page to it.',
        'Machines report by themselves once a GLPI Agent on them has an address with an enrolment key in it: “Add a machine” makes one and shows the line to run. “Enrolment keys” lists those of an organization, and revokes them.',
      ],
    },
  ],
  [
    '/alerts',
    {
      title: 'Alerts',
      paragraphs: [
        'What devices have reported, the newest first. An alert that belongs to a device leads to it.',
        'To list the devices themselves, filter them: alerts.critical:yes.',
      ],
    },
  ],
  [
    '/incidents',
    {
      title: 'Incidents',
      paragraphs: [
        'Incidents are kept in the product that Fleetsift is used with. If that is linked, this entry opens it.',
      ],
    },
  ],
  [
    '/remote-access',
    {
      title: 'Remote Access',
      paragraphs: [
        'Connections to devices are made by the product that Fleetsift is used with. If that is linked, this entry opens it.',
      ],
    },
  ],
  [
    '/vulnerabilities',
    {
      title: 'Vulnerabilities',
      paragraphs: [
        'Vulnerabilities are tracked in the product that Fleetsift is used with. If that is linked, this entry opens it.',
        'To find devices with a certain program, filter them by it: software:openssl.',
      ],
    },
  ],
  [
    '/scripts',
    {
      title: 'Scripts',
      paragraphs: ['A script belongs to one organization, or to a partner and then to all of theirs.'],
    },
  ],
  [
    '/patches',
    {
      title: 'Patches',
      paragraphs: [
        'Every patch that a device here has reported, by title, and on how many devices it is pending, installed or failed. One that has a patch twice counts once.',
        'Devices with pending patches leads to those devices.',
      ],
    },
  ],
  [
    '/settings/security',
    {
      title: 'Security',
      paragraphs: [
        'The second factor is a six-digit code from an authenticator app. Keep the ten recovery codes where you find them without your phone: each signs you in once.',
        'Sessions lists where you are signed in. End those that you do not know, then change your password.',
      ],
    },
  ],
  [
    '/settings/api-keys',
    {
      title: 'API keys',
      paragraphs: [
        'A key lets a program act as you, with at most your permissions. It is shown once. Creating one needs a fresh authentication code.',
      ],
    },
  ],
  [
    '/settings/profile',
    {
      title: 'Profile',
      paragraphs: ['Theme, density and single-key shortcuts are kept in this browser only.'],
    },
  ],
  [
    '/admin/account-deletion-requests/:id',
    {
      title: 'One deletion request',
      paragraphs: [
        'Somebody asked for their account to be erased. Approving sets the date, 30 days after the request; until then the account works as usual. Rejecting needs a note, which the person reads.',
        'Both ask for the person’s email to be typed, and for a fresh authentication code. If another administrator is faster, you see what they decided.',
      ],
    },
  ],
  [
    '/admin/account-deletion-requests',
    {
      title: 'Deletion requests',
      paragraphs: [
        'Who asked for their account to be erased, the newest first. Those that wait for a decision are shown until you choose another status.',
        'Decide within 30 days: later ones are marked as overdue. Open a request to see what would be erased, and to approve or reject it.',
      ],
    },
  ],
  [
    '/admin/audit-log',
    {
      title: 'Audit log',
      paragraphs: [
        'Who did what, and when: changes, previews, exports, sign-ins and what was denied. Entries cannot be changed or removed.',
        'Click an actor or a resource to see all its entries. The address contains the filters.',
      ],
    },
  ],
  [
    '/',
    {
      title: 'Dashboard',
      paragraphs: [
        'Each number leads to what it counts. Choose an organization at the top of the sidebar to see only its own.',
      ],
    },
  ],
];

const ANYWHERE: HelpPage = {
  title: 'Getting around',
  paragraphs: ['Search finds devices, scripts, alerts and settings from every page.'],
};

/** The page about the place at this path, or about the nearest one above it. */
export function helpFor(pathname: string): HelpPage {
  const found = PAGES.find(([path]) =>
    path.includes(':id')
      ? pathname.startsWith(path.replace(':id', ''))
      : pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)),
  );
  return found?.[1] ?? ANYWHERE;
}
