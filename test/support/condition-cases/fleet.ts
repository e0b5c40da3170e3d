/**
 * The fleet of the case table of conditions: small enough to take in at a glance, with every NULL, empty value and
 * boundary that a condition can meet. Each device is named after its main trait.
 */
import { type CustomValue, NO_HARDWARE, NO_METRICS } from '#domain/device/device.ts';
import type { DeviceRecord, FleetRecord } from '#domain/fleet/fleet-record.ts';
import type { Id } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import { aCustomField, aDevice, anAlert, anOrganization, aPartner, aSite } from '#test/support/builders.ts';

/** The default instant of evaluation, on the last day of a month with 31 days. */
export const CONDITION_AT: EpochMs = Date.UTC(2026, 2, 31, 12);

/** Fixed, so that conditions can name them. */
export const CONDITION_ORG_ID = fixedId<'organization'>(0xa1);
export const NEIGHBOUR_ORG_ID = fixedId<'organization'>(0xa2);
export const SITE_A_ID = fixedId<'site'>(0xb1);
export const SITE_B_ID = fixedId<'site'>(0xb2);

const PARTNER_ID = fixedId<'partner'>(0xc1);

/** Every id has a letter, so that conditions can name it in another case. */
function fixedId<K extends string>(number: number): Id<K> {
  return `0198f0c0-0000-7000-8000-${number.toString(16).padStart(12, '0')}` as Id<K>;
}

function at(text: string): EpochMs {
  return Date.parse(text);
}

type Given = Partial<
  Omit<DeviceRecord, 'kind' | 'id' | 'orgId' | 'hostname' | 'hardware' | 'metrics' | 'custom'>
> & {
  readonly hardware?: Partial<DeviceRecord['hardware']>;
  readonly metrics?: Partial<DeviceRecord['metrics']>;
  readonly custom?: Readonly<Record<string, CustomValue>>;
};

/** Every device by its hostname, with its values. All other values are missing. */
const DEVICES = {
  bare: { status: 'pending' },
  'empty-name': { displayName: '', custom: { note: '' } },
  plain: {
    siteId: SITE_A_ID,
    displayName: 'Reception PC',
    status: 'online',
    osType: 'windows',
    osVersion: '11',
    osBuild: '22631.3447',
    architecture: 'x64',
    agentVersion: '2.1.3',
    enrolledAt: at('2026-03-24T12:00:00.000Z'),
    lastSeenAt: CONDITION_AT,
    lastSeenIp: '10.0.0.5',
    tags: ['vpn', 'prod-3'],
    deviceRole: 'workstation',
    lastUser: 'alice',
    isHeadless: true,
    uptimeSeconds: 0,
    watchdogStatus: 'connected',
    rebootRequired: true,
    hardware: {
      manufacturer: 'Dell Inc.',
      model: 'OptiPlex 7000',
      serialNumber: 'SN-001',
      cpuModel: 'Intel(R) Core(TM) i5-12500',
      cpuCores: 4,
      ramTotalMb: 8192,
      diskTotalGb: 256,
    },
    metrics: { cpuPercent: 0, ramPercent: 50, diskPercent: 90 },
    network: [
      { ipAddress: '10.0.0.1', publicIp: '203.0.113.7', macAddress: 'AA:BB:CC:00:00:01' },
      { ipAddress: '10.0.0.2', publicIp: null, macAddress: 'AA:BB:CC:00:00:02' },
    ],
    software: [
      { name: 'Google Chrome', version: '120.0' },
      { name: 'GOOGLE CHROME', version: '130.0.6723.59' },
      { name: 'Google Chrome', version: '119.0' },
      { name: 'Zoom', version: null },
    ],
    patches: [
      { id: null, title: 'KB1', status: 'pending' },
      { id: null, title: 'KB2', status: 'pending' },
    ],
    custom: { note: 'Keep', seats: 9, leased: true, ring: 'alpha', bought: '2026-02-10', stray: 'x' },
  },
  shouting: {
    siteId: SITE_B_ID,
    displayName: 'RECEPTION PC',
    status: 'online',
    osType: 'windows',
    osVersion: '10',
    architecture: 'x86',
    agentVersion: '2.1.10',
    enrolledAt: at('2026-03-24T11:59:59.999Z'),
    lastSeenAt: CONDITION_AT - 1,
    lastSeenIp: '10.0.0.50',
    tags: ['VPN'],
    deviceRole: 'server',
    lastUser: 'ALICE',
    isHeadless: false,
    uptimeSeconds: 1,
    watchdogStatus: 'failover',
    hardware: {
      manufacturer: 'dell inc.',
      serialNumber: '',
      cpuCores: 8,
      ramTotalMb: 16384,
      diskTotalGb: 512,
    },
    metrics: { cpuPercent: 0.1 },
    network: [{ ipAddress: '10.0.0.1', publicIp: null, macAddress: 'aa:bb:cc:00:00:03' }],
    software: [
      { name: 'google chrome', version: null },
      { name: '7-Zip', version: null },
    ],
    patches: [
      { id: null, title: 'KB1', status: 'installed' },
      { id: null, title: 'KB2', status: 'failed' },
    ],
    custom: { note: 'keep', seats: 10, leased: false, ring: 'beta', bought: '2026-02-10T08:00:00Z' },
  },
  'trailing-space': { displayName: 'Reception PC ', status: 'maintenance' },
  percent: {
    displayName: '100% done',
    status: 'decommissioned',
    enrolledAt: at('2026-03-24T12:00:00.001Z'),
    lastSeenAt: at('2026-03-30T12:00:00.000Z'),
    tags: ['100%', 'a_b'],
    uptimeSeconds: 59,
    watchdogStatus: 'offline',
    rebootRequired: true,
    hardware: { cpuCores: 16, ramTotalMb: 1_048_576 },
    metrics: { cpuPercent: 12.5 },
    network: [{ ipAddress: null, publicIp: '203.0.113.7', macAddress: null }],
    software: [{ name: '100% Orange Juice', version: null }],
    patches: [
      { id: null, title: 'KB1', status: 'installed' },
      { id: null, title: 'KB2', status: 'pending' },
    ],
    custom: { note: null, seats: 0, bought: '2026-02-10T23:59:59.999Z' },
  },
  underscore: {
    displayName: 'a_b',
    status: 'quarantined',
    enrolledAt: at('2026-03-23T12:00:00.001Z'),
    lastSeenAt: at('2026-03-30T11:59:59.999Z'),
    uptimeSeconds: 60,
    quarantinedAt: at('2026-02-10T08:00:00.000Z'),
    metrics: { cpuPercent: 33.3 },
    network: [{ ipAddress: 'fe80::1', publicIp: null, macAddress: 'AA:BB:CC:00:00:04' }],
    // Neither fits its definition.
    custom: { note: true, seats: -1.5, bought: '2026-02-30' },
  },
  'letter-x': {
    displayName: 'aXb',
    status: 'updating',
    enrolledAt: at('2026-03-28T00:00:00.000Z'),
    lastSeenAt: at('2026-03-30T12:00:00.001Z'),
    uptimeSeconds: 3600,
    metrics: { cpuPercent: 100 },
    patches: [],
    custom: { seats: Number.MAX_SAFE_INTEGER, bought: 1_770_681_600_000 },
  },
  backslash: {
    displayName: 'C:\\Temp\\',
    osType: 'windows',
    lastSeenAt: at('2026-02-28T12:00:00.000Z'),
    tags: ['C:\\', 'axb'],
    uptimeSeconds: 2_147_483_647,
    metrics: { cpuPercent: 99.9 },
    software: [
      { name: 'a_b tool', version: null },
      { name: 'Foo\\Bar', version: null },
    ],
    custom: { bought: 'now' },
  },
  nfc: {
    displayName: 'Caf\u00e9',
    osType: 'macos',
    osVersion: '14.4',
    architecture: 'arm64',
    lastSeenAt: at('2026-02-28T11:59:59.999Z'),
    tags: ['2026'],
    hardware: { manufacturer: 'Apple', model: 'MacBook Pro', gpuModel: 'Apple M2' },
    metrics: { ramPercent: 50 },
    software: [{ name: 'Xcode', version: '15.3' }],
    custom: { seats: true, leased: 1, ring: 'Alpha', bought: '2026-02-11T00:00:00+02:00' },
  },
  nfd: {
    displayName: 'Cafe\u0301',
    osType: 'linux',
    lastSeenAt: at('2026-02-10T00:00:00.000Z'),
    tags: ['srv-1'],
  },
  'sharp-s': {
    displayName: 'Straße',
    lastSeenAt: at('2026-02-10T23:59:59.999Z'),
    software: [
      { name: 'Straße', version: 'n/a' },
      { name: 'a "b" ]:c', version: '-' },
    ],
  },
  'capital-sigma': { displayName: 'ΟΔΟΣ', lastSeenAt: at('2026-02-09T23:59:59.999Z') },
  'final-sigma': { displayName: 'οδος', lastSeenAt: at('2026-02-11T00:00:00.000Z') },
  'dotted-i': {
    displayName: 'İstanbul',
    // The device's clock is ahead.
    enrolledAt: at('2026-03-31T13:00:00.000Z'),
    lastSeenAt: at('2026-03-31T13:00:00.000Z'),
    software: [{ name: 'İstanbul', version: null }],
    patches: [{ id: null, title: 'İstanbul 100%_fix', status: 'failed' }],
  },
  kelvin: { displayName: '300 \u212a', lastSeenAt: 0 },
  emoji: {
    displayName: 'Lab 🖨',
    osType: 'linux',
    lastSeenAt: at('0001-01-01T00:00:00.000Z'),
    tags: ['🖨', 'vpn'],
    deviceRole: 'printer',
  },
  digits: {
    displayName: '42',
    agentVersion: '2.1.3',
    lastSeenAt: at('9999-12-31T23:59:59.999Z'),
    tags: ['11', 'vpn', 'prod-3', 'x'],
    isHeadless: true,
    network: [
      { ipAddress: null, publicIp: null, macAddress: 'DD:EE:FF:00:00:05' },
      { ipAddress: '192.168.1.9', publicIp: null, macAddress: null },
    ],
    // None of these fits its definition.
    custom: { note: 42, seats: '10', leased: 'true', ring: 'gamma', bought: 'not a date' },
  },
  'two-lines': { displayName: 'line one\nline two', lastSeenAt: at('2024-02-29T12:00:00.000Z') },
  quotes: {
    displayName: `O'Brien "x"; --`,
    tags: ['a,b', 'c"d', '{e}', 'NULL', ''],
    lastUser: "o'brien",
  },
  decimal: { displayName: '1.5' },
  tiny: { displayName: '0.0000001' },
  accents: {
    displayName: 'ÉCOLE',
    // Lists and objects fit no definition.
    custom: { note: ['Keep'], seats: { seats: 9 }, leased: [true], ring: ['alpha'], bought: ['2026-02-10'] },
  },
} satisfies Record<string, Given>;

/** The name of a device of the fleet. */
export type DeviceName = keyof typeof DEVICES;

/** Every device of the organization under test, in the order of a preview. */
export const DEVICE_NAMES: readonly DeviceName[] = (Object.keys(DEVICES) as DeviceName[]).sort();

const OWNED_BY_ORG = { kind: 'organization', orgId: CONDITION_ORG_ID } as const;
const OWNED_BY_PARTNER = { kind: 'partner', partnerId: PARTNER_ID } as const;

/** Here `retired` has a definition but no value; in the fleet, `stray` has a value but no definition. */
const CUSTOM_FIELDS = [
  aCustomField({ id: fixedId(0xd1), owner: OWNED_BY_PARTNER, key: 'note' }),
  aCustomField({ id: fixedId(0xd2), owner: OWNED_BY_ORG, key: 'seats', type: 'number' }),
  aCustomField({ id: fixedId(0xd3), owner: OWNED_BY_ORG, key: 'leased', type: 'boolean' }),
  aCustomField({
    id: fixedId(0xd4),
    owner: OWNED_BY_ORG,
    key: 'ring',
    type: 'dropdown',
    choices: ['alpha', 'beta'],
  }),
  aCustomField({ id: fixedId(0xd5), owner: OWNED_BY_PARTNER, key: 'bought', type: 'date' }),
  aCustomField({ id: fixedId(0xd6), owner: OWNED_BY_ORG, key: 'retired' }),
];

/** The keys of the custom fields as filters name them. */
export const CUSTOM_FIELD_KEYS: readonly string[] = CUSTOM_FIELDS.map(({ key }) => `custom.${key}`);

/** The devices as records, without the neighbor's device. */
export const CONDITION_DEVICES: readonly DeviceRecord[] = (
  Object.entries(DEVICES) as [DeviceName, Given][]
).map(([hostname, { hardware, metrics, custom = {}, ...given }], i) =>
  aDevice({
    status: 'offline',
    ...given,
    id: fixedId(0x100 + i),
    orgId: CONDITION_ORG_ID,
    hostname,
    hardware: { ...NO_HARDWARE, ...hardware },
    metrics: { ...NO_METRICS, ...metrics },
    custom: new Map(Object.entries(custom)),
  }),
);

export function idOf(name: DeviceName): DeviceRecord['id'] {
  const device = CONDITION_DEVICES.find(({ hostname }) => hostname === name);
  if (device === undefined) throw new Error(`there is no device ${name}`);
  return device.id;
}

/** Active critical alerts: one on `plain`, two on `emoji`, and none on other devices. */
const ALERTS = [
  anAlert({ id: fixedId(0xe1), orgId: CONDITION_ORG_ID, deviceId: idOf('plain') }),
  anAlert({ id: fixedId(0xe2), orgId: CONDITION_ORG_ID, deviceId: idOf('shouting'), status: 'resolved' }),
  anAlert({ id: fixedId(0xe3), orgId: CONDITION_ORG_ID, deviceId: idOf('shouting'), severity: 'high' }),
  anAlert({ id: fixedId(0xe4), orgId: CONDITION_ORG_ID, deviceId: idOf('percent'), status: 'acknowledged' }),
  anAlert({ id: fixedId(0xe5), orgId: CONDITION_ORG_ID, deviceId: idOf('emoji') }),
  anAlert({ id: fixedId(0xe6), orgId: CONDITION_ORG_ID, deviceId: idOf('emoji') }),
  anAlert({ id: fixedId(0xe7), orgId: CONDITION_ORG_ID }),
];

/** The whole fleet, and a neighbor whose device no condition may ever find. */
export const CONDITION_FLEET: readonly FleetRecord[] = [
  aPartner({ id: PARTNER_ID }),
  anOrganization({ id: CONDITION_ORG_ID, partnerId: PARTNER_ID }),
  anOrganization({ id: NEIGHBOUR_ORG_ID, partnerId: PARTNER_ID }),
  aSite({ id: SITE_A_ID, orgId: CONDITION_ORG_ID }),
  aSite({ id: SITE_B_ID, orgId: CONDITION_ORG_ID }),
  ...CUSTOM_FIELDS,
  ...CONDITION_DEVICES,
  ...ALERTS,
  aDevice({
    id: fixedId(0x1ff),
    orgId: NEIGHBOUR_ORG_ID,
    hostname: 'neighbour',
    displayName: 'Reception PC',
  }),
];
