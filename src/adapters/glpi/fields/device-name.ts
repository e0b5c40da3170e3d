/** What a device and its agent are called. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The name that the device has on the network or gives itself; null where the inventory tells none. */
export function hostname({ hardware, network_device, operatingsystem }: InventoryContent): string | null {
  return firstText(network_device?.name, hardware?.name, operatingsystem?.fqdn);
}

/** The agent with its version, as it says; what was asked over the network often has "missing" there. */
export function agentVersion({ versionclient }: InventoryContent): string | null {
  const version = firstText(versionclient);
  return version === 'missing' ? null : version;
}
