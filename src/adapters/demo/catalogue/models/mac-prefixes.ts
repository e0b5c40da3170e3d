/** The vendor's half of MAC addresses, by the manufacturer of the device. */

const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  'Dell Inc.': ['d4:be:d9', 'f8:b1:56', '18:66:da'],
  LENOVO: ['8c:16:45', '54:ee:75'],
  Lenovo: ['8c:16:45'],
  HP: ['3c:d9:2b', '94:57:a5', 'b4:99:ba'],
  HPE: ['94:18:82', '3c:a8:2a'],
  'Apple Inc.': ['f0:18:98', 'a4:83:e7', '3c:22:fb'],
  'Microsoft Corporation': ['00:15:5d', '28:18:78'],
  'VMware, Inc.': ['00:50:56', '00:0c:29'],
  QEMU: ['52:54:00'],
  Supermicro: ['ac:1f:6b'],
  'Raspberry Pi Foundation': ['dc:a6:32'],
  Cisco: ['00:1b:54', '70:db:98'],
  'Cisco Meraki': ['00:18:0a'],
  Ubiquiti: ['24:5a:4c', '78:8a:20'],
  MikroTik: ['6c:3b:6b'],
  'HPE Aruba': ['00:0b:86', '20:4c:03'],
  'Juniper Networks': ['00:05:85'],
  NETGEAR: ['20:4e:7f'],
  Fortinet: ['00:09:0f', '70:4c:a5'],
  SonicWall: ['c0:ea:e4'],
  'Palo Alto Networks': ['00:1b:17'],
  Sophos: ['00:1a:8c'],
  WatchGuard: ['00:90:7f'],
  'Ruckus Wireless': ['00:22:7f'],
  AXIS: ['ac:cc:8e', '00:40:8c'],
  Hikvision: ['44:19:b6'],
  Bosch: ['00:07:5f'],
  Dahua: ['3c:ef:8c'],
  Synology: ['00:11:32'],
  QNAP: ['24:5e:be'],
  Brother: ['30:05:5c'],
  KYOCERA: ['00:17:c8'],
  RICOH: ['00:26:73'],
  Xerox: ['00:00:aa'],
  'Zebra Technologies': ['00:07:4d'],
  Yealink: ['80:5e:c0'],
  Shelly: ['30:ae:a4'],
  Siemens: ['00:1c:06'],
};

/** Of locally administered addresses: virtual interfaces, and vendors not listed. */
export const LOCAL_MAC_PREFIX = '02:42:ac';

/** Prefixes of the manufacturer's addresses, six hexadecimal digits in pairs; at least one. */
export function macPrefixesOf(manufacturer: string | null): readonly string[] {
  return PREFIXES[manufacturer ?? ''] ?? [LOCAL_MAC_PREFIX];
}
