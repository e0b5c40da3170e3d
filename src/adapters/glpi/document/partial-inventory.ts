import { carriesRole } from '#adapters/glpi/fields/device-role.ts';
import { carriesNetwork } from '#adapters/glpi/fields/network.ts';
import { hostname } from '#adapters/glpi/fields/texts.ts';
import type { InventoriedFields, PartialFields } from '#domain/inventory/device-inventory.ts';
import type { InventoryDocument } from './inventory-document.ts';
import { itemTypeOf } from './recognize-document.ts';

/**
 * The fields that a partial inventory carries (Contract: §9, "Import"). A missing value keeps the device's value; a
 * list is always whole, so it can empty one.
 */
export function carriedFields(document: InventoryDocument, fields: InventoriedFields): PartialFields {
  const { content } = document;
  const isCarried: Readonly<Record<Exclude<keyof InventoriedFields, 'hardware'>, boolean>> = {
    hostname: hostname(content) !== null,
    deviceRole: carriesRole(itemTypeOf(document), content),
    // Other systems are reported as well, by name.
    osType: fields.osType !== null || content.operatingsystem?.name !== undefined,
    osVersion: fields.osVersion !== null,
    osBuild: fields.osBuild !== null,
    architecture: fields.architecture !== null,
    agentVersion: fields.agentVersion !== null,
    lastUser: fields.lastUser !== null,
    uptimeSeconds: fields.uptimeSeconds !== null,
    network: carriesNetwork(content),
    software: content.softwares !== undefined,
  };
  const { hardware, ...others } = fields;
  const carried = Object.entries(others).filter(([name]) => isCarried[name as keyof typeof isCarried]);
  const parts = Object.entries(hardware).filter(([, part]) => part !== null);
  return Object.fromEntries([
    ...carried,
    ...(parts.length > 0 ? [['hardware', Object.fromEntries(parts)]] : []),
  ]);
}
