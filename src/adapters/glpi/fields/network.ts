import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { NetworkInterface } from '#domain/device/device.ts';
import { firstText } from './texts.ts';

interface Address {
  readonly ip: string | null;
  readonly mac: string | null;
}

/**
 * Returns one row per address, and one per interface with only a MAC address. Leaves out loopback interfaces.
 * Ports of printers and switches count only if they have an IP address.
 */
export function network(content: InventoryContent): readonly NetworkInterface[] {
  const addresses = [...ofInterfaces(content), ...ofNetworkDevice(content), ...ofPorts(content)].filter(
    ({ ip, mac }) => ip !== null || mac !== null,
  );
  const macsWithIp = new Set(addresses.filter(({ ip }) => ip !== null).map(({ mac }) => mac));
  const useful = addresses.filter(({ ip, mac }) => ip !== null || !macsWithIp.has(mac));
  const distinct = new Map(useful.map((address) => [`${address.ip} ${address.mac}`, address]));
  return [...distinct.values()].map(({ ip, mac }) => ({ ipAddress: ip, publicIp: null, macAddress: mac }));
}

/** False for a partial inventory that has only some of a network device's addresses. */
export function carriesNetwork({
  networks,
  network_device: device,
  network_ports,
}: InventoryContent): boolean {
  const hasAddresses = device?.ips !== undefined || device?.mac !== undefined;
  return networks !== undefined || (hasAddresses && network_ports !== undefined);
}

function ofInterfaces({ networks = [] }: InventoryContent): readonly Address[] {
  return networks
    .filter(({ type }) => type !== 'loopback')
    .flatMap(({ ipaddress, ipaddress6, mac }) => addressesOf([ipaddress, ipaddress6], mac));
}

function ofNetworkDevice({ network_device: networkDevice }: InventoryContent): readonly Address[] {
  return networkDevice === undefined ? [] : addressesOf(networkDevice.ips ?? [], networkDevice.mac);
}

function ofPorts({ network_ports: ports = [] }: InventoryContent): readonly Address[] {
  return ports.flatMap(({ ips = [], mac }) => (ips.length === 0 ? [] : addressesOf(ips, mac)));
}

function addressesOf(ips: readonly (string | undefined)[], mac: string | undefined): readonly Address[] {
  const usable = ips.map((ip) => firstText(ip)).filter((ip) => ip !== null && !NO_ADDRESS.test(ip));
  const macAddress = UNSET_MAC.test(mac ?? '') ? null : firstText(mac);
  return usable.length === 0
    ? [{ ip: null, mac: macAddress }]
    : usable.map((ip) => ({ ip, mac: macAddress }));
}

const NO_ADDRESS = /^(?:127\.[\d.]+|::1|0\.0\.0\.0|::)$/;
const UNSET_MAC = /^[0:.-]*$/;
