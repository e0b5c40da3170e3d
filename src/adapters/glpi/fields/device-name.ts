import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { firstText } from './first-text.ts';

/** The name on the network or in the system; null if none. */
export function hostname({ hardware, network_device, operatingsystem }: InventoryContent): string | null {
  return firstText(network_device?.name, hardware?.name, operatingsystem?.fqdn);
}

/** Network devices often report "missing", which becomes null. */
export function agentVersion({ versionclient }: InventoryContent): string | null {
  const version = firstText(versionclient);
  return version === 'missing' ? null : version;
}
