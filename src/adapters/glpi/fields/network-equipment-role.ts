import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { HOST_NAMES, type NetworkEquipmentRole, PRODUCTS, VENDORS } from './network-equipment-signs.ts';

/**
 * The role that a network device's own description gives (Contract: §9, "Import"). The first match decides: vendor
 * with model, description, firmware, chassis, vendor alone, host name. Without a match it is a switch, because it has
 * ports. Neighbours on its ports are ignored: they describe themselves.
 */
export function networkEquipmentRole(content: InventoryContent): NetworkEquipmentRole {
  const { network_device: device, firmwares = [], network_components: components = [] } = content;
  const vendor = device?.manufacturer ?? '';
  const chassis = components.filter(({ type }) => type === 'chassis' || type === 'stack');
  const descriptions = [
    ...(device?.model === undefined ? [] : [`${vendor} ${device.model}`]),
    device?.description ?? '',
    typeof device?.comments === 'string' ? device.comments : '',
    ...firmwares.map(
      ({ manufacturer = vendor, name = '', description = '' }) => `${manufacturer} ${name} ${description}`,
    ),
    ...chassis.map(({ model = '', description = '' }) => `${vendor} ${model} ${description}`),
  ];
  for (const text of descriptions) {
    const found = PRODUCTS.find(({ pattern }) => pattern.test(text.slice(0, MAX_DESCRIPTION_LENGTH)));
    if (found !== undefined) return found.role;
  }
  const byVendor = VENDORS.find(({ pattern }) => pattern.test(vendor));
  const byName = HOST_NAMES.find(({ pattern }) => pattern.test(device?.name ?? ''));
  return byVendor?.role ?? byName?.role ?? 'switch';
}

/** Descriptions have up to 255 characters; longer ones would only slow the patterns. */
const MAX_DESCRIPTION_LENGTH = 1000;
