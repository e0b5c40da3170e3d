/** What kind of network equipment a device is, by its own description (Contract: §9, "Import"). */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { HOST_NAMES, type NetworkEquipmentRole, PRODUCTS, VENDORS } from './network-equipment-signs.ts';

/**
 * The first of these that matches one of the four roles decides: vendor with model, the device's own description, its
 * firmware, its chassis, the vendor alone, its host name. Without any match it is a switch, since it has ports. What
 * its neighbours announce on its ports is ignored, because it describes them.
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

/** System descriptions have up to 255 characters; far longer ones would only slow the patterns down. */
const MAX_DESCRIPTION_LENGTH = 1000;
