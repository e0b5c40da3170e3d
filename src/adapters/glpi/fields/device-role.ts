import type {
  InventoryContent,
  ItemType,
  OperatingSystem,
} from '#adapters/glpi/document/inventory-document.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { DeviceRole } from '#domain/device/device.ts';
import { networkEquipmentRole } from './network-equipment-role.ts';
import { osType } from './operating-system.ts';

/** The role of a device (Contract: §9, "Import"); never `unknown`. */
export function deviceRole(itemType: ItemType, content: InventoryContent): DeviceRole {
  switch (itemType) {
    case 'Computer':
      return computerRole(content);
    case 'Phone':
      return 'phone';
    case 'Printer':
      return 'printer';
    case 'NetworkEquipment':
      return networkEquipmentRole(content);
    default:
      return assertNever(itemType);
  }
}

/** Whether the inventory carries everything that decides the role; a part could mislead. */
export function carriesRole(itemType: ItemType, content: InventoryContent): boolean {
  switch (itemType) {
    case 'Computer':
      return content.hardware !== undefined && content.operatingsystem !== undefined;
    case 'NetworkEquipment':
      return content.network_device !== undefined;
    case 'Phone':
    case 'Printer':
      return true;
    default:
      return assertNever(itemType);
  }
}

/**
 * A server system makes a server. Otherwise the chassis decides, except in virtual machines, where the host made it
 * up; then a desktop system makes a workstation. What is left is a server if it is virtual or runs a system that is
 * rare on desks, else a workstation.
 */
function computerRole({ hardware, operatingsystem }: InventoryContent): 'server' | 'workstation' {
  const systemName = `${operatingsystem?.name ?? ''} ${operatingsystem?.full_name ?? ''} ${operatingsystem?.version ?? ''}`;
  if (SERVER_SYSTEM.test(systemName)) return 'server';
  const isVirtual = !/^(?:physical)?$/i.test(hardware?.vmsystem?.trim() ?? '');
  if (!isVirtual && SERVER_CHASSIS.test(hardware?.chassis_type ?? '')) return 'server';
  if (!isVirtual && PERSONAL_CHASSIS.test(hardware?.chassis_type ?? '')) return 'workstation';
  if (isPersonalSystem(operatingsystem, systemName)) return 'workstation';
  return isVirtual || UNATTENDED_SYSTEM.test(systemName) ? 'server' : 'workstation';
}

/** Windows, macOS and desktop Linux; server editions were ruled out before. */
function isPersonalSystem(system: OperatingSystem | undefined, systemName: string): boolean {
  const type = osType(system);
  return type === 'windows' || type === 'macos' || /\b(?:workstation|desktop)\b/i.test(systemName);
}

const SERVER_SYSTEM = /\bserver\b|\besxi?\b|\bproxmox\b|\bxcp-ng\b|\bxenserver\b|\bhyper-v\b|\bnutanix\b/i;

/** Rare on desktops. */
const UNATTENDED_SYSTEM =
  /red ?hat enterprise|\brhel\b|\bcentos\b|\brocky\b|\balma ?linux\b|oracle linux|amazon linux|\bsles\b|\baix\b|hp-?ux|solaris|sunos|freebsd|openbsd|netbsd|\btruenas\b/i;

/** SMBIOS chassis types as agents name them. */
const SERVER_CHASSIS = /server|rack|blade|multi-?system|raid|storage chassis|compact ?pci|advanced ?tca/i;

const PERSONAL_CHASSIS =
  /desktop|tower|portable|laptop|notebook|hand ?held|docking|all[ -]in[ -]one|space-?saving|lunch box|pizza box|tablet|convertible|detachable|mini pc|stick pc|sealed-?case/i;
