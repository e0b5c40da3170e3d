/** The network addresses of a device. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { NetworkInterface } from '#domain/device/device.ts';
import { firstText } from './first-text.ts';

interface Address {
  readonly ip: string | null;
  readonly mac: string | null;
}

/**
 * One row per address of each interface, and one for an interface that has only a MAC address. The loopback interface
 * is left out, because it is the same on every device. Ports of printers and switches count if they have an address;
 * a switch has hundreds without. Inventories contain no public addresses.
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

/** Whether the inventory says anything about the device's addresses. */
export function carriesNetwork({ networks, network_device: networkDevice }: InventoryContent): boolean {
  return networks !== undefined || networkDevice?.ips !== undefined || networkDevice?.mac !== undefined;
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

/** Loopback and unset addresses. */
const NO_ADDRESS = /^(?:127\.[\d.]+|::1|0\.0\.0\.0|::)$/;
const UNSET_MAC = /^[0:.-]*$/;
