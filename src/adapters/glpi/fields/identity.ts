/** What tells a machine from others besides its deviceid and its serial number (Contract: §13). */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { ReportedIdentity } from '#domain/inventory/device-inventory.ts';
import { firstText } from './first-text.ts';

/** Bridges, tunnels and the adapters of virtual machines have MAC addresses that other machines have, too. */
export function reportedIdentity({
  hardware,
  network_device: networkDevice,
  networks = [],
}: InventoryContent): ReportedIdentity {
  const own = networks.filter(({ virtualdev: isVirtual }) => isVirtual !== true).map(({ mac }) => mac);
  const macAddresses = [...own, networkDevice?.mac]
    .map((mac) => firstText(mac))
    .filter((mac) => mac !== null);
  return { systemUuid: firstText(hardware?.uuid), macAddresses: [...new Set(macAddresses)] };
}
