import type { DeviceRole, OsType } from '#domain/device/device.ts';
import { NAMES, type OrganizationProfile } from './demo-data.ts';
import type { Machine } from './device-machine.ts';
import type { PlannedDevice } from './device-plan.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Person {
  readonly name: string;
  /** Lower-case ASCII: first letter of the given name, then the family name. */
  readonly login: string;
}

export function drawPerson(random: SeededRandom): Person {
  const given = random.pick(NAMES.givenNames);
  const family = random.pick(NAMES.familyNames);
  return { name: `${given} ${family}`, login: plain(given).slice(0, 1) + plain(family) };
}

/** Unicode decomposition does not turn these letters into ASCII. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', ı: 'i' };

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[łøßı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}

export function displayName(
  { role, site, number }: PlannedDevice,
  person: Person,
  { isPortable, isKiosk }: Machine,
  random: SeededRandom,
): string | null {
  if (!random.chance(NAMES.namedShares[role])) {
    return null;
  }
  if (isPortable) {
    return random.pick([`${person.name}'s laptop`, `Laptop ${person.name}`, person.name]);
  }
  return `${random.pick(isKiosk ? NAMES.kioskUses : NAMES.uses[role])}, ${site.name}${number > 9 ? ` (${number})` : ''}`;
}

export function lastUser(
  role: DeviceRole,
  { osType, isKiosk }: Machine,
  { windowsDomain, mailDomain }: OrganizationProfile,
  { login, name }: Person,
  random: SeededRandom,
): string | null {
  if (random.chance(NOBODY_SHARE)) {
    return null;
  }
  if (isKiosk) {
    return `${windowsDomain}\\kiosk`;
  }
  switch (osType) {
    case 'windows':
      return role === 'server'
        ? `${windowsDomain}\\${random.pick(WINDOWS_SERVICE_ACCOUNTS)}`
        : random.pickWeighted([
            [`${windowsDomain}\\${login}`, 88],
            [`AzureAD\\${name.replaceAll(' ', '')}`, 8],
            ['.\\localadmin', 4],
          ]);
    case 'macos':
      return login;
    case 'linux':
      return role === 'server' ? random.pick(LINUX_SERVICE_ACCOUNTS) : login;
    case null:
      return role === 'phone' && random.chance(0.6) ? `${login}@${mailDomain}` : null;
  }
}

const NOBODY_SHARE = 0.05;
const WINDOWS_SERVICE_ACCOUNTS = ['Administrator', 'svc_backup', 'svc_sql', 'adm-itops', 'setup'];
const LINUX_SERVICE_ACCOUNTS = ['root', 'root', 'ubuntu', 'ansible', 'deploy'];

export interface HostnameFacts {
  readonly planned: PlannedDevice;
  readonly osType: OsType | null;
  readonly isPortable: boolean;
  readonly login: string;
}

/**
 * Most names follow the organization's convention. The others are odd names, factory names, or names that unidentified
 * devices give themselves.
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

const FACTORY_NAME_SHARE = 0.04;

const UNIDENTIFIED_PATTERNS = ['esp-######', 'unknown-****', 'android-********', 'host-##-##-#', 'busybox'];

const { roleCodes: ROLE_CODES } = NAMES;

type Convention = (facts: PlannedDevice & { readonly login: string }) => string;

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
      ? `${themed(NAMES.trees, number)}-${site.code}`
      : `LMA-${site.code}-${titled(ROLE_CODES[role])}-${number}`,
  feldhaus: ({ site, role, number }) =>
    role === 'workstation'
      ? `${site.code}-Kasse${padded(number, 2)}`
      : `${site.code}-${ROLE_CODES[role]}${number}`,
  'little-fathom': ({ role, number }) =>
    role === 'workstation'
      ? themed(NAMES.beers, number)
      : `${ROLE_CODES[role].toLowerCase()}${number}.fathom.lan`,
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
