/** The tags of the demo's devices. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import type { OrganizationProfile } from '#adapters/demo/tenants/organizations.ts';
import type { Trade } from '#adapters/demo/tenants/trades.ts';
import type { DeviceRole } from '#domain/device/device.ts';
import type { Machine } from './device-machine.ts';

/** A tag with the part (0-1) of the devices that carry it. */
type TagShare = readonly [tag: string, share: number];

/** Its tags, none for many. */
export function deviceTags(
  role: DeviceRole,
  { trade }: OrganizationProfile,
  { isPortable, isKiosk }: Machine,
  random: SeededRandom,
): readonly string[] {
  const shares = [
    ...(isKiosk ? KIOSK_TAGS : TAGS_BY_ROLE[role]),
    ...(isPortable ? PORTABLE_TAGS : []),
    ...(role === 'workstation' ? TAGS_BY_TRADE[trade] : []),
  ];
  return shares.filter(([, share]) => random.chance(share)).map(([tag]) => tag);
}

const KIOSK_TAGS: readonly TagShare[] = [
  ['kiosk', 0.8],
  ['shared', 0.3],
  ['legacy', 0.1],
];

const EDGE_TAGS: readonly TagShare[] = [
  ['snmp', 0.6],
  ['core', 0.12],
  ['guest-network', 0.15],
  ['legacy', 0.06],
];

const TAGS_BY_ROLE: Readonly<Record<DeviceRole, readonly TagShare[]>> = {
  workstation: [
    ['finance', 0.08],
    ['pilot-ring', 0.06],
    ['ring-1', 0.2],
    ['VIP', 0.03],
    ['shared', 0.08],
    ['meeting-room', 0.03],
    ['spare', 0.03],
  ],
  server: [
    ['production', 0.5],
    ['backup', 0.25],
    ['hypervisor', 0.1],
    ['domain-controller', 0.1],
    ['dmz', 0.08],
    ['legacy', 0.08],
    ['pilot-ring', 0.04],
    ['finance', 0.05],
  ],
  printer: [
    ['leased', 0.4],
    ['colour', 0.3],
  ],
  router: EDGE_TAGS,
  switch: EDGE_TAGS,
  firewall: [...EDGE_TAGS, ['vpn', 0.7]],
  access_point: EDGE_TAGS,
  phone: [
    ['mdm', 0.6],
    ['byod', 0.08],
  ],
  iot: [['isolated-vlan', 0.5]],
  camera: [
    ['isolated-vlan', 0.6],
    ['outdoor', 0.3],
  ],
  nas: [
    ['backup', 0.6],
    ['snmp', 0.4],
  ],
  unknown: [['investigate', 0.3]],
};

const PORTABLE_TAGS: readonly TagShare[] = [
  ['vpn', 0.5],
  ['remote', 0.3],
  ['loaner', 0.06],
];

const TAGS_BY_TRADE: Readonly<Record<Trade, readonly TagShare[]>> = {
  logistics: [
    ['warehouse', 0.3],
    ['gate', 0.08],
    ['customs', 0.12],
  ],
  manufacturing: [
    ['shop-floor', 0.35],
    ['cnc', 0.1],
  ],
  education: [
    ['classroom', 0.45],
    ['exam', 0.15],
    ['staff', 0.25],
  ],
  healthcare: [
    ['pacs', 0.12],
    ['Empfang', 0.08],
    ['Büro', 0.2],
  ],
  construction: [['site-cabin', 0.3]],
  dentistry: [
    ['surgery', 0.5],
    ['x-ray', 0.15],
    ['reception', 0.15],
  ],
  hospitality: [
    ['front-desk', 0.25],
    ['pci', 0.3],
  ],
  law: [
    ['fee-earner', 0.5],
    ['dictation', 0.2],
  ],
  utility: [
    ['scada', 0.15],
    ['Büro', 0.4],
  ],
  architecture: [
    ['render', 0.2],
    ['cad', 0.6],
  ],
  retail: [
    ['pci', 0.5],
    ['Kasse', 0.4],
  ],
  brewing: [['taproom', 0.3]],
};
