/** The names that people gave to some of the demo's devices. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { Person } from '#adapters/demo/tenants/person-names.ts';
import type { DeviceRole } from '#domain/device/device.ts';
import type { Machine } from './device-machine.ts';
import type { PlannedDevice } from './device-plan.ts';

/** A name by use, place or person; null for most. */
export function displayName(
  { role, site, number }: PlannedDevice,
  person: Person,
  { isPortable, isKiosk }: Machine,
  random: SeededRandom,
): string | null {
  if (!random.chance(NAMED_SHARE[role])) {
    return null;
  }
  if (isPortable) {
    return random.pick([`${person.name}'s laptop`, `Laptop ${person.name}`, person.name]);
  }
  return `${random.pick(isKiosk ? KIOSK_USES : USES[role])}, ${site.name}${number > 9 ? ` (${number})` : ''}`;
}

const NAMED_SHARE: Readonly<Record<DeviceRole, number>> = {
  workstation: 0.3,
  server: 0.55,
  printer: 0.6,
  router: 0.3,
  switch: 0.3,
  firewall: 0.4,
  access_point: 0.25,
  phone: 0.3,
  iot: 0.6,
  camera: 0.7,
  nas: 0.5,
  unknown: 0,
};

const KIOSK_USES = ['Till', 'Self-service terminal', 'Panel', '"Old" till', 'Time clock'];

const USES: Readonly<Record<DeviceRole, readonly string[]>> = {
  workstation: [
    'Reception',
    'Front desk',
    'Meeting room',
    'Accounts',
    'Hot desk',
    'Planning',
    '"New" hot desk',
  ],
  server: [
    'Domain controller',
    'File server',
    'Backup server',
    'SQL server',
    'Print server',
    'Hypervisor',
    'Web server',
  ],
  printer: ['Label printer', 'Reception printer', 'Copier', 'Accounts printer', 'Plotter'],
  router: ['Internet router', '4G fallback router'],
  switch: ['Core switch', 'Access switch', 'PoE switch'],
  firewall: ['Perimeter firewall', 'VPN gateway'],
  access_point: ['Ceiling AP', 'Guest Wi-Fi AP', 'Outdoor AP'],
  phone: ['Duty phone', 'Handheld scanner', 'Lift phone'],
  iot: ['Cold room sensor', 'Door controller', 'Signage screen', 'Energy meter', 'Tank level sensor'],
  camera: ['Gate camera', 'Car park camera', 'Stockroom camera', 'Entrance camera'],
  nas: ['Backup NAS', 'Project archive', 'Media store'],
  unknown: ['Unidentified'],
};
