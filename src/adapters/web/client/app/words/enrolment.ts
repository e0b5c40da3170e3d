/** Machines that report by themselves, and their keys. */
export const enrolmentWords = {
  add: 'Add a machine',
  text: 'Any machine with a stock GLPI Agent reports by itself, once it has the address with a key in it.',
  keyPlace: 'KEY',
  firstText:
    'Add a machine: install the GLPI agent on it, and run this there, with an enrolment key for KEY.',
  makeKey: 'Make a key, and get the whole line',
  askForKey: 'Ask an administrator for a key: you may look at devices, not add them.',
  organization: 'Organization',
  chooseOrganization: 'Choose an organization',
  organizationNeeded: 'Choose the organization that the machine belongs to.',
  site: 'Site (optional)',
  noSite: 'None',
  name: 'Name of the key',
  nameHint: 'One key does for many machines, for example “Laptops”.',
  expires: 'Expires',
  expiries: { never: 'Never', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' },
  create: 'Make the key',
  needsFactor: 'Making a key needs a second factor, and you have none yet.',
  madeTitle: 'Run this on the machine',
  madeText:
    'A few seconds later it is among the devices. The key in it is shown this once; whoever has it can report machines.',
  systems: { windows: 'Windows', macos: 'macOS', linux: 'Linux' },
  systemsLabel: 'Operating system',
  hints: {
    windows:
      'In a command prompt, as administrator, in the folder with the agent’s package; put its file name in. This installs it.',
    macos: 'In a terminal, once the agent’s package is installed.',
    linux: 'In a terminal, once the agent’s package is installed.',
  },
  copyCommand: 'Copy the line',
  done: 'Done',
  keys: 'Enrolment keys',
  keysOf: (organization: string) => `Enrolment keys of ${organization}`,
  keysText:
    'Machines report with them. One that is revoked or expired is refused at once; their devices stay.',
  noKeysTitle: 'No enrolment keys',
  noKeysText: 'Add a machine to make the first one.',
  revokeText: 'Machines that report with this key are refused from now on. This cannot be undone.',
};
