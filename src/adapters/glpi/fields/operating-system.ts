import type { InventoryContent, OperatingSystem } from '#adapters/glpi/document/inventory-document.ts';
import type { Architecture, InstalledSoftware, OsType } from '#domain/device/device.ts';
import { firstText } from './texts.ts';

/**
 * Null for systems other than Windows, macOS and Linux (Contract: §3). Null also for Android and iOS, despite
 * their Linux and Darwin kernels.
 */
export function osType(system: OperatingSystem | undefined): OsType | null {
  const names = `${system?.name ?? ''} ${system?.full_name ?? ''}`;
  if (isMobileSystem(system)) return null;
  const kernel = firstText(system?.kernel_name)?.toLowerCase();
  for (const { type, kernels, name } of SYSTEMS) {
    if (kernel === undefined ? name.test(names) : kernels.includes(kernel)) return type;
  }
  return null;
}

export function isMobileSystem(system: OperatingSystem | undefined): boolean {
  return MOBILE_SYSTEM.test(`${system?.name ?? ''} ${system?.full_name ?? ''}`);
}

export function osVersion({ operatingsystem, network_device, firmwares }: InventoryContent): string | null {
  const ofDevice = firmwares?.find(({ type }) => type === 'device');
  return operatingsystem === undefined
    ? firstText(network_device?.firmware, ofDevice?.version)
    : firstText(operatingsystem.version);
}

export function osBuild(system: OperatingSystem | undefined): string | null {
  return firstText(system?.kernel_version, system?.service_pack);
}

/**
 * Prefers the system's architecture, because agents report every x86 processor as i386. The processor's
 * counts if the system reports none, or "64-bit" on Arm.
 */
export function architecture({ operatingsystem, cpus }: InventoryContent): Architecture | null {
  const ofProcessor = architectureNamed(cpus?.[0]?.arch);
  const ofSystem = architectureNamed(operatingsystem?.arch);
  if (ofSystem === null) return ofProcessor === 'x86' ? null : ofProcessor;
  return ofProcessor === 'arm64' && ofSystem === 'x64' ? 'arm64' : ofSystem;
}

const MOBILE_SYSTEM = /\bandroid\b|\bios\b|\bipados\b|\bwatchos\b|\btvos\b|windows (?:phone|mobile|ce)\b/i;

interface KnownSystem {
  readonly type: OsType;
  readonly kernels: readonly string[];
  /** For systems without a reported kernel. */
  readonly name: RegExp;
}

const SYSTEMS: readonly KnownSystem[] = [
  { type: 'windows', kernels: ['mswin32', 'win32', 'windows', 'windows_nt'], name: /windows/i },
  { type: 'macos', kernels: ['darwin', 'macos'], name: /mac ?os|\bos x\b|darwin/i },
  {
    type: 'linux',
    kernels: ['linux', 'gnu/linux'],
    name: /linux|ubuntu|debian|fedora|red ?hat|centos|rocky|suse|raspbian|proxmox|\bmint\b|gentoo|manjaro/i,
  },
];

function architectureNamed(text: string | undefined): Architecture | null {
  for (const name of (text ?? '').toLowerCase().split(',')) {
    const known = ARCHITECTURE_NAMES.find(({ pattern }) => pattern.test(name.trim()));
    if (known !== undefined) return known.architecture;
  }
  return null;
}

const ARCHITECTURE_NAMES = [
  { architecture: 'arm64', pattern: /^(?:aarch64|arm64|armv8|arm,? 64)/ },
  { architecture: 'x64', pattern: /^(?:x86[_-]64|amd64|x64|em64t|64[ -]?bits?$)/ },
  { architecture: 'x86', pattern: /^(?:i?[3-6]86|x86|ia-?32|32[ -]?bits?)$/ },
] as const satisfies readonly { readonly architecture: Architecture; readonly pattern: RegExp }[];

/** Returns each title and version once: agents repeat them per architecture and registration. */
export function software({ softwares = [] }: InventoryContent): readonly InstalledSoftware[] {
  const distinct = new Map<string, InstalledSoftware>();
  for (const entry of softwares) {
    const name = firstText(entry.name);
    const version = firstText(entry.version);
    if (name !== null) distinct.set(JSON.stringify([name, version]), { name, version });
  }
  return [...distinct.values()];
}

/** The user of the last login, else the first user who is logged in. If the domain is known: `DOMAIN\login`. */
export function lastUser({ hardware, users = [] }: InventoryContent): string | null {
  const logins = [hardware?.lastloggeduser, ...users.map((user) => user.login)];
  const login = firstText(...logins.filter((text) => !FILE_OF_LOGINS.test(text ?? '')));
  const isLast = (user: { readonly login?: string }) =>
    firstText(user.login)?.toLowerCase() === login?.toLowerCase();
  const domain = firstText(users.find(isLast)?.domain);
  return login === null || domain === null || login.includes('\\') ? login : `${domain}\\${login}`;
}

/**
 * After the monthly rotation of the login record, last(1) prints only `wtmp begins Tue May 20 00:00:00 2025`, and
 * agents take the first word for a user.
 */
const FILE_OF_LOGINS = /^(?:.*\/)?(?:wtmp(?:db|\.db)?|utx\.log)$/;
