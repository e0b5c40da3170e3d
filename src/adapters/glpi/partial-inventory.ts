/** What a partial inventory updates (Contract: §9, "Import"). */
import type { InventoriedFields } from '#domain/inventory/device-inventory.ts';
import { hostname } from './device-name.ts';
import { carriesRole } from './device-role.ts';
import { carriesAllHardware } from './hardware.ts';
import type { InventoryDocument } from './inventory-document.ts';
import { itemTypeOf } from './item-type.ts';
import { carriesNetwork } from './network.ts';

/**
 * The fields without those that the inventory does not carry. A value that it does not give is one that it does not
 * speak of, so it clears none; a list that it gives is the whole list, so it can empty one. The hardware is one
 * field that comes from many parts: it is carried where they all are, lest a part of it clear the rest.
 */
export function carriedFields(
  document: InventoryDocument,
  fields: InventoriedFields,
): Partial<InventoriedFields> {
  const { content } = document;
  const isCarried: Readonly<Record<keyof InventoriedFields, boolean>> = {
    hostname: hostname(content) !== null,
    deviceRole: carriesRole(itemTypeOf(document), content),
    // A system that is none of the three is told of as well, by its name.
    osType: fields.osType !== null || content.operatingsystem?.name !== undefined,
    osVersion: fields.osVersion !== null,
    osBuild: fields.osBuild !== null,
    architecture: fields.architecture !== null,
    agentVersion: fields.agentVersion !== null,
    lastUser: fields.lastUser !== null,
    uptimeSeconds: fields.uptimeSeconds !== null,
    hardware: carriesAllHardware(content),
    network: carriesNetwork(content),
    software: content.softwares !== undefined,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => isCarried[name as keyof InventoriedFields]),
  );
}
