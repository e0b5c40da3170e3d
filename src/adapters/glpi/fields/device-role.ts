import type {
  InventoryContent,
  ItemType,
  OperatingSystem,
} from '#adapters/glpi/document/inventory-document.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { DeviceRole } from '#domain/device/device.ts';
import { osType } from './operating-system.ts';

type NetworkEquipmentRole = 'switch' | 'router' | 'firewall' | 'access_point';

interface Sign {
  readonly role: NetworkEquipmentRole;
  readonly pattern: RegExp;
}

/**
 * The first match counts. Product lines come before words that a description may mention in passing ("security switch",
 * "wireless router").
 */
const PRODUCTS: readonly Sign[] = [
  // Letters before the number tell product lines apart: Juniper EX is a switch, MX a router.
  {
    role: 'switch',
    pattern:
      /fortiswitch|\bicx ?\d|mikrotik.*\bc[rs]s\d{3}|edgeswitch|\bunifi (?:sw|switch)|\busw\b|meraki.*\bms\d/i,
  },
  {
    role: 'switch',
    pattern: /juniper.*\b(?:ex|qfx)-?\d|huawei.*\b(?:s|ce)\d{4}|router\/switch|layer ?3 switch/i,
  },
  {
    role: 'access_point',
    pattern: /fortiap|\bfap[-_ ]?\d|meraki.*\bmr\d|(?:mikrotik|routeros).*\b[cw]ap\b/i,
  },
  {
    role: 'firewall',
    pattern: /meraki.*\bmx\d|juniper.*\b(?:srx|ssg)|huawei.*\busg\d|zyxel.*\b(?:usg|atp)/i,
  },
  {
    role: 'router',
    pattern: /juniper.*\b(?:mx|acx|ptx|ctp|t|m)-?\d|huawei.*\b(?:ar|ne)\d|nokia.*\b77[05]0/i,
  },

  { role: 'firewall', pattern: /fire ?wall|fortigate|fortios|\bfgt|palo ?alto|pan-os|\bpa-\d{3,4}/i },
  {
    role: 'firewall',
    pattern: /adaptive security|\basa ?\d{4}|firepower|\bfpr-?\d|\bftd\b|netscreen|\bsrx\d/i,
  },
  {
    role: 'firewall',
    pattern: /sonicwall|sonicos|check ?point|\bgaia\b|watchguard|firebox|stormshield|netasq/i,
  },
  {
    role: 'firewall',
    pattern: /pfsense|opnsense|sophos (?:xgs?|sg|utm)|\bsfos\b|hillstone|forcepoint|cyberoam/i,
  },
  { role: 'firewall', pattern: /zywall|security (?:gateway|appliance)|\butm\b/i },

  { role: 'access_point', pattern: /access ?point|\bwap\d|aironet|\bair-[cls]?ap|\bc91\d\dax|\bap\d{3,4}/i },
  {
    role: 'access_point',
    pattern: /\bap\dg\d-k9w|\b[in]?ap-\d{3}|\buap\b|\bunifi (?:ap|u6|u7)|\bu[67]-[a-z]/i,
  },
  {
    role: 'access_point',
    pattern: /zoneflex|ruckus.*\b[rth]\d{3}|\beap\d{3}|\bnwa\d|airengine|aerohive|instant on ap/i,
  },

  {
    role: 'router',
    pattern: /router|edgerouter|\bvyos|vyatta|openwrt|\bios[- ]?xr\b|draytek|vigor|cradlepoint/i,
  },
  {
    role: 'router',
    pattern: /peplink|teltonika|\brut\d{3}|\bisr ?\d|\basr[- ]?\d|\bcsr ?1000|\bmsr ?\d{3,4}/i,
  },
  {
    role: 'router',
    pattern: /\bcisco ?(?:8\d\d|1[789]\d\d|2[68]\d\d|29[0125]1|38[24]5|39[24]5|4[2-4]\d1|7[26]\d\d)\b/i,
  },
  {
    role: 'router',
    pattern: /\bc(?:1900|2800|2900|3900)-universal|\bc8\d\d[a-z]*\b|\bc11\d\d|\bc8[2-5]00|\budm\b|gateway/i,
  },

  {
    role: 'switch',
    pattern: /switch|catalyst|\bws-c|nexus|\bn[3579]k-|procurve|powerconnect|fabric interconnect/i,
  },
  { role: 'switch', pattern: /\bucs \d|comware|\bqfx\d|\bex\d{4}|nx-os/i },
];

/** The vendor decides for models that do not show the role. */
const VENDORS: readonly Sign[] = [
  {
    role: 'firewall',
    pattern: /fortinet|palo ?alto|sonicwall|watchguard|stormshield|check ?point|netgate|sophos/i,
  },
  { role: 'access_point', pattern: /ruckus|aerohive|mist systems|cambium/i },
  { role: 'router', pattern: /mikrotik|draytek|cradlepoint|peplink|teltonika|oneaccess|vyatta/i },
];

/** Host names such as `fw-paris`, `ap-2nd-floor`, `rtr1.example.com`. */
const HOST_NAMES: readonly Sign[] = [
  { role: 'firewall', pattern: /(?:^|[-_.])(?:fw|asa|utm)\d*(?:$|[-_.])|firewall/i },
  { role: 'access_point', pattern: /(?:^|[-_.])(?:w?ap|wifi|wlan)\d*(?:$|[-_.])|access-?point/i },
  { role: 'router', pattern: /(?:^|[-_.])(?:rt|rtr|gw|cpe)\d*(?:$|[-_.])|router|gateway/i },
];

/**
 * The first match decides, in this order: vendor with model, description, firmware, chassis, vendor alone, host name. A
 * device without a match counts as a switch, because it has ports. Neighbors on its ports are ignored.
 */
function networkEquipmentRole(content: InventoryContent): NetworkEquipmentRole {
  const device = content.network_device;
  const byProduct = roleOfProduct([...ownDescriptions(content), ...partDescriptions(content)]);
  const byVendor = VENDORS.find(({ pattern }) => pattern.test(device?.manufacturer ?? ''));
  const byName = HOST_NAMES.find(({ pattern }) => pattern.test(device?.name ?? ''));
  return byProduct ?? byVendor?.role ?? byName?.role ?? 'switch';
}

function roleOfProduct(descriptions: readonly string[]): NetworkEquipmentRole | null {
  for (const text of descriptions) {
    const found = PRODUCTS.find(({ pattern }) => pattern.test(text.slice(0, MAX_DESCRIPTION_LENGTH)));
    if (found !== undefined) return found.role;
  }
  return null;
}

function ownDescriptions({ network_device: device }: InventoryContent): readonly string[] {
  return [
    ...(device?.model === undefined ? [] : [`${device.manufacturer ?? ''} ${device.model}`]),
    device?.description ?? '',
    typeof device?.comments === 'string' ? device.comments : '',
  ];
}

function partDescriptions(content: InventoryContent): readonly string[] {
  const { firmwares = [], network_components: components = [] } = content;
  const vendor = content.network_device?.manufacturer ?? '';
  const chassis = components.filter(({ type }) => type === 'chassis' || type === 'stack');
  return [
    ...firmwares.map(
      ({ manufacturer = vendor, name = '', description = '' }) => `${manufacturer} ${name} ${description}`,
    ),
    ...chassis.map(({ model = '', description = '' }) => `${vendor} ${model} ${description}`),
  ];
}

/** Descriptions have up to 255 characters. Longer texts would slow the patterns. */
const MAX_DESCRIPTION_LENGTH = 1000;

/** Contract: §9, "Import". */
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

/** False for a partial inventory without the parts that show the role. */
export function carriesRole(itemType: ItemType, content: InventoryContent): boolean {
  switch (itemType) {
    case 'Computer':
      return content.hardware !== undefined && content.operatingsystem !== undefined;
    case 'NetworkEquipment':
      return carriesEquipmentRole(content);
    case 'Phone':
    case 'Printer':
      return true;
    default:
      return assertNever(itemType);
  }
}

function carriesEquipmentRole(content: InventoryContent): boolean {
  if (content.network_device === undefined) return false;
  const hasParts = content.firmwares !== undefined && content.network_components !== undefined;
  return hasParts || roleOfProduct(ownDescriptions(content)) !== null;
}

/**
 * A virtual machine's chassis is made up by its host, so it is ignored. Without other signs, a computer is a
 * server if it is virtual or its operating system is rare on desktops.
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

/** Call it after server editions are ruled out, because Windows Server counts as Windows too. */
function isPersonalSystem(system: OperatingSystem | undefined, systemName: string): boolean {
  const type = osType(system);
  return type === 'windows' || type === 'macos' || /\b(?:workstation|desktop)\b/i.test(systemName);
}

const SERVER_SYSTEM = /\bserver\b|\besxi?\b|\bproxmox\b|\bxcp-ng\b|\bxenserver\b|\bhyper-v\b|\bnutanix\b/i;

const UNATTENDED_SYSTEM =
  /red ?hat enterprise|\brhel\b|\bcentos\b|\brocky\b|\balma ?linux\b|oracle linux|amazon linux|\bsles\b|\baix\b|hp-?ux|solaris|sunos|freebsd|openbsd|netbsd|\btruenas\b/i;

const SERVER_CHASSIS = /server|rack|blade|multi-?system|raid|storage chassis|compact ?pci|advanced ?tca/i;

const PERSONAL_CHASSIS =
  /desktop|tower|portable|laptop|notebook|hand ?held|docking|all[ -]in[ -]one|space-?saving|lunch box|pizza box|tablet|convertible|detachable|mini pc|stick pc|sealed-?case/i;
