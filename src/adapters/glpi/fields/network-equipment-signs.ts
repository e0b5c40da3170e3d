/** Contract: §9, "Import". */
export type NetworkEquipmentRole = 'switch' | 'router' | 'firewall' | 'access_point';

export interface Sign {
  readonly role: NetworkEquipmentRole;
  readonly pattern: RegExp;
}

/**
 * Product lines and words for the roles, in the order tried, matched against vendor with model and against
 * descriptions. Product lines come before words that a description may mention in passing ("security switch",
 * "wireless router").
 */
export const PRODUCTS: readonly Sign[] = [
  // The letters before the number tell these lines apart.
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

/** By vendor, if the model says nothing. */
export const VENDORS: readonly Sign[] = [
  {
    role: 'firewall',
    pattern: /fortinet|palo ?alto|sonicwall|watchguard|stormshield|check ?point|netgate|sophos/i,
  },
  { role: 'access_point', pattern: /ruckus|aerohive|mist systems|cambium/i },
  { role: 'router', pattern: /mikrotik|draytek|cradlepoint|peplink|teltonika|oneaccess|vyatta/i },
];

/** Such as `fw-paris`, `ap-2nd-floor`, `rtr1.example.com`. */
export const HOST_NAMES: readonly Sign[] = [
  { role: 'firewall', pattern: /(?:^|[-_.])(?:fw|asa|utm)\d*(?:$|[-_.])|firewall/i },
  { role: 'access_point', pattern: /(?:^|[-_.])(?:w?ap|wifi|wlan)\d*(?:$|[-_.])|access-?point/i },
  { role: 'router', pattern: /(?:^|[-_.])(?:rt|rtr|gw|cpe)\d*(?:$|[-_.])|router|gateway/i },
];
