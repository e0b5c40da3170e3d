/** Which kind of network equipment a device is, by what it says of itself (Contract: §9, "Import"). */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { HOST_NAMES, MAKERS, type NetworkEquipmentRole, PRODUCTS } from './network-equipment-signs.ts';

/**
 * The first of these that names one of the four decides: the model with its maker, the device's description of
 * itself, its firmwares, its chassis, its maker alone, its own name. What says nothing has ports: it is a switch.
 * What its neighbours say on its ports is not asked, since that is about them.
 */
export function networkEquipmentRole(content: InventoryContent): NetworkEquipmentRole {
  const { network_device: device, firmwares = [], network_components: components = [] } = content;
  const maker = device?.manufacturer ?? '';
  const chassis = components.filter(({ type }) => type === 'chassis' || type === 'stack');
  const sayings = [
    ...(device?.model === undefined ? [] : [`${maker} ${device.model}`]),
    device?.description ?? '',
    typeof device?.comments === 'string' ? device.comments : '',
    ...firmwares.map(
      ({ manufacturer = maker, name = '', description = '' }) => `${manufacturer} ${name} ${description}`,
    ),
    ...chassis.map(({ model = '', description = '' }) => `${maker} ${model} ${description}`),
  ];
  for (const saying of sayings) {
    const found = PRODUCTS.find(({ pattern }) => pattern.test(saying.slice(0, MAX_SAYING_LENGTH)));
    if (found !== undefined) return found.role;
  }
  const byMaker = MAKERS.find(({ pattern }) => pattern.test(maker));
  const byName = HOST_NAMES.find(({ pattern }) => pattern.test(device?.name ?? ''));
  return byMaker?.role ?? byName?.role ?? 'switch';
}

/** A system description has 255 characters; what is far longer would keep the patterns busy. */
const MAX_SAYING_LENGTH = 1000;
