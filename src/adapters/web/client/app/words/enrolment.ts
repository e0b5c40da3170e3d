export const enrolmentWords = {
  add: 'Add a machine',
  text: 'A machine with the GLPI Agent reports here once its server address contains an enrolment key.',
  organization: 'Organization',
  chooseOrganization: 'Choose an organization',
  organizationNeeded: 'Choose the organization the machine belongs to.',
  site: 'Site (optional)',
  noSite: 'None',
  name: 'Key name',
  nameHint: 'One key works for many machines. Example: Laptops',
  expires: 'Expires',
  expiries: { never: 'Never', 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' },
  create: 'Create key',
  needsFactor: 'You need a second factor to create a key.',
  madeTitle: 'Run this on the machine',
  madeText:
    'It appears under Devices a few seconds later. The key is shown only once. Anyone who has it can report machines.',
  systems: { windows: 'Windows', macos: 'macOS', linux: 'Linux' },
  systemsLabel: 'Operating system',
  hints: {
    windows:
      'This installs the agent. Run it in a command prompt as administrator, in the folder with the installer. Replace the file name with your installer’s.',
    macos: 'Run this in a terminal after installing the agent.',
    linux: 'Run this in a terminal after installing the agent.',
  },
  download: 'Download the GLPI Agent',
  onlyHere: (origin: string) =>
    `The address ${origin} works on this machine only. To add others, open the console at an address they can reach, or set BASE_URL.`,
  copyCommand: 'Copy command',
  done: 'Done',
  keys: 'Enrolment keys',
  keysOf: (organization: string) => `Enrolment keys for ${organization}`,
  keysText:
    'Machines report with these keys. A revoked or expired key is refused immediately. Its devices stay.',
  noKeysTitle: 'No enrolment keys',
  noKeysText: 'Create a key to enrol your first machine.',
  revokeText: 'Machines that use this key are refused from now on. This cannot be undone.',
};
