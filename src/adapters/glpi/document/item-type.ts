import { isMobileSystem } from '#adapters/glpi/fields/operating-system.ts';
import { type InventoryDocument, ITEM_TYPES, type ItemType } from './inventory-document.ts';

/** The stated or implied type; a computer by default, as in GLPI. */
export function itemTypeOf({ itemtype, content }: InventoryDocument): ItemType {
  const stated = ITEM_TYPES.find((type) => type === itemtype);
  if (stated !== undefined) return stated;
  switch (content.network_device?.type) {
    case 'Networking':
      return 'NetworkEquipment';
    case 'Printer':
      return 'Printer';
    case 'Phone':
      return 'Phone';
    default:
      return isMobileSystem(content.operatingsystem) ? 'Phone' : 'Computer';
  }
}
