/** Under which addresses a device is reached. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { NetworkInterface } from '#domain/device/device.ts';
import { firstText } from './first-text.ts';

interface Address {
  readonly ip: string | null;
  readonly mac: string | null;
}

/**
 * One row for each address of each interface, and one for an interface without any that has a MAC address. The
 * loopback interface, which every device has with the same address, is left out. A printer's or a switch's ports
 * count where they have an address; a switch has hundreds that have none. Inventories know no public address.
 */
export function network(content: InventoryContent): readonly NetworkInterface[] {
  const addresses = [...ofInterfaces(content), ...ofNetworkDevice(content), ...ofPorts(content)].filter(
    ({ ip, mac }) => ip !== null || mac !== null,
  );
  const macsWithIp = new Set(addresses.filter(({ ip }) => ip !== null).map(({ mac }) => mac));
  const told = addresses.filter(({ ip, mac }) => ip !== null || !macsWithIp.has(mac));
  const distinct = new Map(told.map((address) => [`${address.ip} ${address.mac}`, address]));
  return [...distinct.values()].map(({ ip, mac }) => ({ ipAddress: ip, publicIp: null, macAddress: mac }));
}

/** Whether the inventory says anything of the device's addresses. */
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
  const given = ips.map((ip) => firstText(ip)).filter((ip) => ip !== null && !NO_ADDRESS.test(ip));
  const macAddress = UNSET_MAC.test(mac ?? '') ? null : firstText(mac);
  return given.length === 0 ? [{ ip: null, mac: macAddress }] : given.map((ip) => ({ ip, mac: macAddress }));
}

/** Loopback, and what stands where no address was set. */
const NO_ADDRESS = /^(?:127\.[\d.]+|::1|0\.0\.0\.0|::)$/;
const UNSET_MAC = /^[0:.-]*$/;
