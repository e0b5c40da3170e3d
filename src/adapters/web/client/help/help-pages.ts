import type { PlacePath } from '#adapters/web/places.ts';

export interface HelpPage {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly examples?: readonly { readonly text: string; readonly meaning: string }[];
}

const FILTER_EXAMPLES = [
  { text: 'status:online os:windows', meaning: 'online and running Windows' },
  { text: 'tags:vip,finance', meaning: 'tagged vip or finance' },
  { text: 'seen:>7d', meaning: 'not seen within 7 days' },
  { text: 'disk:>90 -role:printer', meaning: 'disk over 90%, except printers' },
  { text: '(os:macos OR os:linux) user:mia', meaning: 'macOS or Linux, with “mia” in the last user' },
];

const PAGES: Readonly<Partial<Record<PlacePath, HelpPage>>> = {
  '/devices/:id': {
    title: 'One device',
    paragraphs: [
      'What the device last reported. A dash means it has never sent that value.',
      'With permission to edit devices, you can change the name, tags and custom fields in place. Enter saves, Esc cancels. If someone else has changed the device in the meantime, you are told and nothing is overwritten.',
      'The Filters tab lists the saved filters that match this device, and why. Filters with subscriptions also say since when.',
    ],
  },
  '/devices': {
    title: 'Devices & Assets',
    paragraphs: [
      'Type a filter above the table. Adjacent terms must all match; use OR, NOT and parentheses for more. A word without a key searches the display name, the hostname and the last user.',
      'Each condition is a chip below the filter. Open it to edit it, press minus to negate it, or Delete to remove it.',
      'The address contains the filter, the sort order and the organization. Copy it to share this view.',
      '“Save as filter” keeps the filter under a name. “Export” includes every matching device, not just those on screen.',
    ],
    examples: FILTER_EXAMPLES,
  },
  '/devices/duplicates': {
    title: 'Duplicates',
    paragraphs: [
      'Devices of one organization that are probably the same machine, the surest first. Each group says what they share: a serial number, a UUID, a MAC address or a host name.',
      'Merging keeps one device and moves what the other has to it. Before you confirm, you see what stays.',
      'Two machines that only share a name can stay as they are. A group disappears when its devices have different serial numbers.',
    ],
  },
  '/filters/:id': {
    title: 'Building a filter',
    paragraphs: [
      'Builder, Text and JSON are three views of the same conditions. Edit any of them; switching loses nothing.',
      'The number beside a condition is how many devices it matches alone. Conditions that have no effect are marked, and so are those that leave a group without matches.',
      'Choose a device below to see why it matches or not.',
      'Ctrl+Z undoes every step, in Text and JSON too, and Ctrl+Shift+Z or Ctrl+Y brings it back. While you type, a field undoes its own text first.',
      'Drag a condition or a group by its handle, with Ctrl or Alt to copy it. Or focus the handle: Alt and an arrow key move it, Enter shows more: duplicate, wrap, unwrap.',
      'Live shows who enters and leaves the filter, as it happens, once something has subscribed to it: the number of devices over the last 30 days, the latest changes with their reason, and the subscriptions. “Add subscription” creates one: a feed for a program, a webhook or mails.',
      'The actions of a webhook show its deliveries, which you can send again. What fails is tried again for three days, then the webhook is paused. “Resume” continues where it stopped.',
      'History has the last 100 versions: who changed what, the difference of any two, and “Restore”, which makes a former version the current one as a new version.',
      'Used by lists the subscriptions and filters that rely on the filter. A subscription can have a guard: a change that moves more devices than it allows is saved only after you confirm its numbers.',
      'You are asked before you leave unsaved changes. If someone else saves the filter in the meantime, you see what differs, and you can save both changes if they affect different parts.',
    ],
    examples: FILTER_EXAMPLES,
  },
  '/filters': {
    title: 'Saved filters',
    paragraphs: [
      'A filter is a named set of conditions. It always lists the devices that match now.',
      'A filter covers one organization, or all organizations of a partner, with those that are added later. Only people with access to all of them can save and change such a filter. Everyone with access to one of them sees it.',
      'You can undo a deletion for ten seconds, with the button or Ctrl+Z. If subscriptions follow the filter, you are asked first, because they end with it. A filter that other filters rely on cannot be deleted.',
    ],
  },
  '/organizations/:id': {
    title: 'One organization',
    paragraphs: [
      'Who has access to the organization and what they can do, its sites, enrolment keys, saved filters and custom fields.',
      'Devices of a deleted site stay, without a site. You can delete an organization once it has no devices, people or saved filters.',
    ],
  },
  '/organizations': {
    title: 'Organizations',
    paragraphs: [
      'Every organization you can access. Choose one at the top of the sidebar to narrow every page to it.',
      'Machines report through the GLPI Agent with an enrolment key. “Add a machine” creates a key and shows the command to run. “Enrolment keys” lists an organization’s keys and lets you revoke them.',
    ],
  },
  '/alerts': {
    title: 'Alerts',
    paragraphs: [
      'What devices have reported, newest first. An alert has its own page, and leads to its device.',
      'Acknowledge an alert when someone is on it, and resolve it when it is over. Both can be undone.',
      'To list the devices, use the filter alerts.critical:yes.',
    ],
  },
  '/alerts/:id': {
    title: 'One alert',
    paragraphs: [
      'What the device reported, when, and how serious it is. The device and the organization are links.',
      'Acknowledge it when someone is on it, and resolve it when it is over. Both are in the audit log, and both can be undone.',
    ],
  },
  '/incidents': {
    title: 'Incidents',
    paragraphs: ['Incidents are tracked in another product. If it is linked, this page opens it.'],
  },
  '/remote-access': {
    title: 'Remote Access',
    paragraphs: ['Remote access is part of another product. If it is linked, this page opens it.'],
  },
  '/vulnerabilities': {
    title: 'Vulnerabilities',
    paragraphs: [
      'Vulnerabilities are tracked in another product. If it is linked, this page opens it.',
      'To find devices with a certain program, use a filter such as software:openssl.',
    ],
  },
  '/scripts': {
    title: 'Scripts',
    paragraphs: ['A script belongs to one organization, or to a partner and all its organizations.'],
  },
  '/patches': {
    title: 'Patches',
    paragraphs: [
      'Every reported patch, with the number of devices on which it is pending, installed or failed.',
      '“Devices with pending patches” lists those devices.',
    ],
  },
  '/settings/security': {
    title: 'Security',
    paragraphs: [
      'The second factor is a six-digit code from an authenticator app, or a passkey. Keep the ten recovery codes where you can find them without your phone: each signs you in once.',
      'A passkey signs you in with your fingerprint, face or screen lock. It stays on your device or in your password manager, and works only at this address, so nobody can phish it. Add one on a second device too, in case you lose the first.',
      'Under Sessions you see where you are signed in. If you don’t recognise one, end it and change your password.',
    ],
  },
  '/settings/api-keys': {
    title: 'API keys',
    paragraphs: [
      'A key lets a program act as you, with at most your permissions. It is shown only once. Creating one needs a new authentication code.',
    ],
  },
  '/settings/profile': {
    title: 'Profile',
    paragraphs: ['Theme, density and single-key shortcuts are saved in this browser only.'],
  },
  '/login': {
    title: 'Signing in',
    paragraphs: [
      'Sign in with your email and password, and with a code from your authenticator app if you have set one up. A recovery code works in its place.',
      'With a passkey you need neither: your device asks for your fingerprint, face or screen lock.',
      'If you have lost your phone and your recovery codes, ask your administrator to reset your second factor.',
    ],
  },
  '/invitation': {
    title: 'Your invitation',
    paragraphs: [
      'Set a password of at least 8 characters, then sign in with it. You can add a second factor or a passkey under Security.',
      'The link works once, for 7 days. If it no longer works, ask the person who invited you for a new one.',
    ],
  },
  '/reset-password': {
    title: 'A new password',
    paragraphs: [
      'The link comes by email to accounts that have a password. It works once, for 30 minutes. If nothing arrives, look in the spam folder, or ask your administrator whether you have an account.',
      'If you have a second factor, you need it here too: a code, a recovery code or a passkey. If you have lost them all, ask your administrator to reset your second factor first.',
      'A new password signs you out everywhere. Your API keys keep working.',
    ],
  },
  '/people/:id': {
    title: 'One person',
    paragraphs: [
      'What the person can do and where, where they are signed in, their API keys, and what they did last.',
      'A disabled person is signed out and cannot sign in until you enable them again. Resetting the second factor signs them out too. Each change needs a new authentication code.',
      'You cannot change your own access, nor people with rights that you do not have.',
    ],
  },
  '/people': {
    title: 'People',
    paragraphs: [
      'Everyone you administer. Choose an organization at the top of the sidebar to see only its people.',
      'An invited person gets an email with a link to set a password. It works for 7 days and only once. Open the person to send a new one.',
      'To remove someone who has accepted, disable them, or have them request the deletion of their account.',
    ],
  },
  '/admin/identity-providers': {
    title: 'Identity providers',
    paragraphs: [
      'People of an organization or a partner sign in with the account that they have at Entra, Okta, Google, Keycloak or another OpenID Connect provider. Register both redirect addresses there, then enter its issuer, client ID and client secret here.',
      'Publish the TXT record of each email domain and press Verify. From then on the sign-in page finds the provider by the email, and new people can get an account.',
      'With a groups claim, each sign-in gives people the rights of their groups, and removes rights they no longer have. Accounts that people linked themselves keep their rights.',
      'People who already have an account link it under Settings, Security. An email alone never takes over an account.',
    ],
  },
  '/admin/account-deletion-requests/:id': {
    title: 'One deletion request',
    paragraphs: [
      'Someone asked to have their account erased. If you approve, it is erased 30 days after the request; until then it works as usual. To reject, write a note, which the person will read.',
      'Either way, you type the person’s email and enter a new authentication code. If another administrator was faster, you see what they decided.',
    ],
  },
  '/admin/account-deletion-requests': {
    title: 'Deletion requests',
    paragraphs: [
      'Requests to erase an account, newest first. Pending requests are shown until you choose another status.',
      'Decide within 30 days; after that, a request is marked as overdue. Open a request to see what would be erased, and to approve or reject it.',
    ],
  },
  '/admin/audit-log': {
    title: 'Audit log',
    paragraphs: [
      'Who did what, and when: changes, previews, exports, sign-ins and denied attempts. Entries cannot be changed or removed.',
      'Find people by name or email. A person’s name leads to their entries, and the name of a thing to the thing itself; “Details” has the rest. The address contains your filters.',
    ],
  },
  '/': {
    title: 'Dashboard',
    paragraphs: [
      'Each number links to what it counts. Choose an organization at the top of the sidebar to see only its figures.',
    ],
  },
};

const ANYWHERE: HelpPage = {
  title: 'Getting around',
  paragraphs: ['Search finds devices, scripts, alerts and settings from any page.'],
};

export function helpFor(pathname: string): HelpPage {
  const exact = Object.entries(PAGES).find(([path]) => path === pathname);
  const found =
    exact ??
    Object.entries(PAGES).find(
      ([path]) => path.includes(':id') && pathname.startsWith(path.replace(':id', '')),
    );
  return found?.[1] ?? ANYWHERE;
}
