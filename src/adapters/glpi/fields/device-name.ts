/** What a device and its agent are called. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The device's name on the network or in its system; null if the inventory has none. */
export function hostname({ hardware, network_device, operatingsystem }: InventoryContent): string | null {
  return firstText(network_device?.name, hardware?.name, operatingsystem?.fqdn);
}

/** The agent and its version as reported; null for the "missing" that devices queried over the network often have. */
export function agentVersion({ versionclient }: InventoryContent): string | null {
  const version = firstText(versionclient);
  return version === 'missing' ? null : version;
}
