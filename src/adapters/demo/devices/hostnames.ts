/** How each organization of the demo names its devices. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { DeviceRole, OsType } from '#domain/device/device.ts';
import type { PlannedDevice } from './device-plan.ts';

/** What a name is made of. */
export interface HostnameFacts {
  readonly planned: PlannedDevice;
  readonly osType: OsType | null;
  readonly isPortable: boolean;
  /** The login name of its user. */
  readonly login: string;
}

/**
 * The name of the device: the organization's convention for most, and what occurs in practice for the rest
 * (an odd name, the factory's name, nothing but a chip's).
 */
export function hostnameOf(facts: HostnameFacts, random: SeededRandom): string {
  const { role, oddHostname } = facts.planned;
  if (oddHostname !== null) {
    return oddHostname;
  }
  if (role === 'unknown') {
    return random.fill(random.pick(UNIDENTIFIED_PATTERNS)).toLowerCase();
  }
  if (role === 'workstation' && random.chance(FACTORY_NAME_SHARE)) {
    return factoryName(facts, random);
  }
  return conventionalName(facts);
}

/** How likely a workstation still has the name that it came with. */
const FACTORY_NAME_SHARE = 0.04;

const UNIDENTIFIED_PATTERNS = ['esp-######', 'unknown-****', 'android-********', 'host-##-##-#', 'busybox'];

const ROLE_CODES: Readonly<Record<DeviceRole, string>> = {
  workstation: 'WS',
  server: 'SRV',
  printer: 'PRN',
  router: 'RTR',
  switch: 'SW',
  firewall: 'FW',
  access_point: 'AP',
  phone: 'MOB',
  iot: 'IOT',
  camera: 'CAM',
  nas: 'NAS',
  unknown: 'X',
};

const TREES = [
  'Ahorn',
  'Birke',
  'Lärche',
  'Buche',
  'Eiche',
  'Esche',
  'Föhre',
  'Kiefer',
  'Linde',
  'Ulme',
  'Weide',
];
const BEERS = [
  'porter',
  'Stout',
  'saison',
  'Bitter',
  'gose',
  'Kölsch',
  'helles',
  'barleywine',
  'mild',
  'IPA',
];

type Convention = (facts: PlannedDevice & { readonly login: string }) => string;

/** By organization key. */
const CONVENTIONS: Readonly<Record<string, Convention>> = {
  varhaug: ({ site, role, number }) => `${site.code}-${ROLE_CODES[role]}-${padded(number, 4)}`,
  pellworth: ({ site, role, number }) =>
    `${site.code}${ROLE_CODES[role]}${padded(number, 3)}.corp.pellworth-castings.example`.toLowerCase(),
  greywater: ({ site, role, number }) =>
    `${site.code}${role === 'workstation' ? 'PC' : titled(ROLE_CODES[role])}${padded(number, 2)}`,
  seerain: ({ site, role, number }) => `KAS-${site.code}-${ROLE_CODES[role]}${padded(number, 4)}`,
  marrowby: ({ site, role, number }) => `MARROWBY-${site.code}-${ROLE_CODES[role]}${number}`,
  tidewell: ({ site, role, number }) =>
    role === 'workstation'
      ? `tdw-${site.code}-surgery${padded(number, 2)}`
      : `tdw-${site.code}-${ROLE_CODES[role].toLowerCase()}${padded(number, 2)}`,
  saltmarsh: ({ site, role, number }) =>
    `${site.code}-${ROLE_CODES[role].toLowerCase()}-${padded(number, 2)}`,
  quillon: ({ role, ordinal, login }) =>
    role === 'workstation' ? `QA-${login}` : `QA${ROLE_CODES[role]}${padded(ordinal, 3)}`,
  wiesenbrueck: ({ site, role, number }) =>
    `sww${site.code}${ROLE_CODES[role]}${padded(number, 3)}`.toLowerCase(),
  lindqvist: ({ site, role, number }) =>
    role === 'workstation'
      ? `${themed(TREES, number)}-${site.code}`
      : `LMA-${site.code}-${titled(ROLE_CODES[role])}-${number}`,
  feldhaus: ({ site, role, number }) =>
    role === 'workstation'
      ? `${site.code}-Kasse${padded(number, 2)}`
      : `${site.code}-${ROLE_CODES[role]}${number}`,
  'little-fathom': ({ role, number }) =>
    role === 'workstation' ? themed(BEERS, number) : `${ROLE_CODES[role].toLowerCase()}${number}.fathom.lan`,
};

function conventionalName({ planned, login }: HostnameFacts): string {
  const convention = CONVENTIONS[planned.organization.key];
  if (convention === undefined) {
    throw new Error(`no host name convention for ${planned.organization.key}`);
  }
  return convention({ ...planned, login });
}

function factoryName({ osType, isPortable, login }: HostnameFacts, random: SeededRandom): string {
  switch (osType) {
    case 'macos':
      return `${titled(login)}s-${isPortable ? 'MacBook' : 'iMac'}.local`;
    case 'linux':
      return random.pick(['localhost.localdomain', 'ubuntu', 'debian']);
    default:
      return random.fill(isPortable ? 'LAPTOP-********' : 'DESKTOP-*******');
  }
}

/** The first round of a theme goes by the bare names, later ones by names with a number. */
function themed(names: readonly string[], number: number): string {
  const round = Math.ceil(number / names.length);
  const name = names[(number - 1) % names.length];
  return round === 1 ? `${name}` : `${name}-${round}`;
}

function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}
