import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import type { ReportedIdentity } from '#domain/inventory/device-inventory.ts';
import { firstText } from './first-text.ts';

/** Leaves out bridges, tunnels and virtual adapters: other machines share their MAC addresses (Contract: §13). */
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
