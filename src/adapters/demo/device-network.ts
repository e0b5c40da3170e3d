import type { NetworkInterface } from '#domain/device/device.ts';
import { MAC_PREFIXES } from './demo-data.ts';
import type { PlannedDevice } from './device-plan.ts';
import type { SeededRandom } from './seeded-random.ts';

/** One to three interfaces, the primary one first. */
export function networkInterfaces(
  { site, host, role }: PlannedDevice,
  manufacturer: string | null,
  isPortable: boolean,
  random: SeededRandom,
): readonly NetworkInterface[] {
  const mac = (): string =>
    macAddress(random.pick(MAC_PREFIXES[manufacturer ?? ''] ?? [LOCAL_MAC_PREFIX]), random);
  const at = (network: number): string =>
    `${site.subnet}.${network + Math.floor(host / HOSTS_PER_NETWORK)}.${2 + (host % HOSTS_PER_NETWORK)}`;

  const interfaces: NetworkInterface[] = [{ ipAddress: at(LAN), publicIp: site.publicIp, macAddress: mac() }];
  if (isPortable) {
    interfaces.push({ ipAddress: at(WIRELESS), publicIp: null, macAddress: mac() });
  }
  if (role === 'server' && random.chance(0.5)) {
    interfaces.push({ ipAddress: at(STORAGE), publicIp: null, macAddress: mac() });
  }
  if (role === 'server' && random.chance(0.2)) {
    interfaces.push({
      ipAddress: '172.17.0.1',
      publicIp: null,
      macAddress: macAddress(LOCAL_MAC_PREFIX, random),
    });
  }
  if (random.chance(IPV6_SHARE)) {
    interfaces.push({
      ipAddress: `fd42:${site.subnet.replace('.', ':')}::${host.toString(16)}`,
      publicIp: random.chance(0.5) ? documentationIpv6(random) : null,
      macAddress: null,
    });
  }
  if (role === 'workstation' && random.chance(0.06)) {
    interfaces.push({ ipAddress: null, publicIp: null, macAddress: mac() });
  }
  return interfaces.slice(0, MAX_INTERFACES);
}

export function lastSeenIp({ site }: PlannedDevice, isPortable: boolean, random: SeededRandom): string {
  if (!isPortable || random.chance(0.7)) {
    return site.publicIp;
  }
  if (random.chance(0.2)) {
    return documentationIpv6(random);
  }
  return `${random.pick(ROAMING_NETWORKS)}.${random.integer(130, 254)}`;
}

/** Locally administered, for virtual interfaces and unlisted manufacturers. */
const LOCAL_MAC_PREFIX = '02:42:ac';

/** Third octets at which a site's networks start. */
const LAN = 0;
const WIRELESS = 64;
const STORAGE = 128;
const HOSTS_PER_NETWORK = 250;
const MAX_INTERFACES = 3;
/** Documentation ranges (RFC 5737) for roaming devices. Sites use host numbers below 130. */
const ROAMING_NETWORKS = ['198.51.100', '203.0.113'];
const IPV6_SHARE = 0.12;

function macAddress(prefix: string, random: SeededRandom): string {
  const byte = (): string => random.integer(0, 255).toString(16).padStart(2, '0');
  return `${prefix}:${byte()}:${byte()}:${byte()}`;
}

function documentationIpv6(random: SeededRandom): string {
  return `2001:db8:${random.integer(1, 0xffff).toString(16)}::${random.integer(1, 0xffff).toString(16)}`;
}
