/** A device with its alerts, derived from its number, so every run has the same. */
import { type SeededRandom, seededRandom, type Weighted } from '#adapters/demo/seeded-random.ts';
import type { AlertRecord, DeviceRecord, Patch } from '#domain/fleet/fleet-record.ts';
import type { EpochMs } from '#domain/time.ts';
import { fleetId } from './fleet-id.ts';
import { CUMULATIVE_SHARES, FLEET_NOW, type FleetPlan, orgIdAt } from './fleet-plan.ts';
import { drawSoftware } from './software-catalog.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The shares match the previews in `preview-filters.ts`. */
export function drawDevice(plan: FleetPlan, n: number): DeviceRecord {
  const random = seededRandom(`device ${n}`);
  const orgId = orgIdAt(rankAt(random.fraction()));
  const osType = random.pickWeighted([
    ['windows', 70],
    ['macos', 12],
    ['linux', 12],
    [null, 6],
  ] as const);
  const hasReported = random.chance(0.92);
  return {
    kind: 'device',
    id: fleetId('device', n),
    orgId,
    siteId: null,
    hostname: drawHostname(random),
    displayName: random.chance(0.4) ? `${random.pick(SURNAMES)}'s ${random.pick(THINGS)}` : null,
    status: random.pickWeighted(STATUSES),
    osType,
    osVersion: osType === null ? null : random.pick(OS_VERSIONS[osType]),
    osBuild: osType === 'windows' ? random.fill('226##.####') : null,
    architecture: osType === null ? null : random.chance(0.85) ? 'x64' : 'arm64',
    agentVersion: `4.${random.integer(0, 12)}.${random.integer(0, 9)}`,
    enrolledAt: FLEET_NOW - random.integer(1, 900) * DAY_MS,
    lastSeenAt: random.chance(0.98) ? drawLastSeen(random) : null,
    lastSeenIp: random.fill('203.0.113.1##').replace('.10', '.1'),
    tags: TAGS.flatMap(([tag, share]) => (random.chance(share) ? [tag] : [])),
    deviceRole: random.pickWeighted(ROLES),
    lastUser: random.chance(0.7) ? random.pick(SURNAMES).toLowerCase() : null,
    isHeadless: random.chance(0.9) ? random.chance(0.15) : null,
    uptimeSeconds: hasReported ? Math.round(random.longTail(60, 8_000_000)) : null,
    watchdogStatus: random.chance(0.8)
      ? random.pick(['connected', 'connected', 'failover', 'offline'])
      : null,
    quarantinedAt: random.chance(0.005) ? FLEET_NOW - random.integer(1, 30) * DAY_MS : null,
    rebootRequired: random.chance(0.08),
    hardware: {
      manufacturer: random.pick(MANUFACTURERS),
      model: `${random.pick(THINGS)} ${random.fill('@##')}`,
      serialNumber: random.fill('**********'),
      cpuModel: `Core ${random.fill('i#-1####')}`,
      gpuModel: random.chance(0.5) ? 'Iris Xe' : null,
      cpuCores: random.pick([2, 4, 8, 12, 16]),
      ramTotalMb: random.pick([4_096, 8_192, 16_384, 32_768]),
      diskTotalGb: random.pick([128, 256, 512, 1_024]),
    },
    metrics: hasReported
      ? { cpuPercent: halves(random, 3), ramPercent: halves(random, 1), diskPercent: halves(random, 1.5) }
      : { cpuPercent: null, ramPercent: null, diskPercent: null },
    network: Array.from({ length: random.integer(1, 2) }, () => ({
      ipAddress: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
      publicIp: random.chance(0.5) ? `198.51.100.${random.integer(1, 254)}` : null,
      macAddress: `02:${random.fill('##:##:##:##:##')}`,
    })),
    volumes: [],
    software: drawSoftware(random, plan.titlesPerDevice),
    custom: new Map(),
    patches: drawPatches(random, n),
  };
}

/** One alert for every other device. */
export function drawAlert(device: DeviceRecord, n: number): AlertRecord | null {
  const random = seededRandom(`alert ${n}`);
  if (random.chance(0.5)) return null;
  return {
    kind: 'alert',
    id: fleetId('alert', n),
    orgId: device.orgId,
    deviceId: device.id,
    title: random.pick(ALERT_TITLES),
    message: `${device.hostname} needs a look`,
    severity: random.pickWeighted([
      ['critical', 8],
      ['high', 20],
      ['medium', 40],
      ['low', 32],
    ]),
    status: random.pickWeighted([
      ['active', 60],
      ['acknowledged', 15],
      ['resolved', 25],
    ]),
    createdAt: FLEET_NOW - Math.round(random.longTail(60_000, 180 * DAY_MS)),
  };
}

function rankAt(fraction: number): number {
  let low = 0;
  let high = CUMULATIVE_SHARES.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((CUMULATIVE_SHARES[middle] ?? 1) > fraction) high = middle;
    else low = middle + 1;
  }
  return low;
}

function drawHostname(random: SeededRandom): string {
  switch (random.pickWeighted(HOSTNAMES)) {
    case 'desktop':
      return `DESKTOP-${Array.from({ length: 7 }, () => random.integer(0, 15).toString(16)).join('')}`;
    case 'laptop':
      return `${random.pick(SURNAMES)}-lt-${random.fill('###')}`;
    case 'workstation':
      return `${random.pick(CITIES)}-ws-${random.fill('####')}`;
    case 'server':
      return `srv-${random.pick(SERVICES)}-${random.pick(CITIES)}-${random.fill('###')}`;
    case 'appliance':
      return `${random.pick(['ap', 'prn', 'sw'])}-${random.pick(CITIES)}-${random.fill('###')}`;
  }
}

/** 70 % within the last week, the rest up to two years ago. */
function drawLastSeen(random: SeededRandom): EpochMs {
  return random.chance(0.7)
    ? FLEET_NOW - random.integer(0, 7 * DAY_MS - HOUR_MS)
    : FLEET_NOW - Math.round(random.longTail(7 * DAY_MS + HOUR_MS, 730 * DAY_MS));
}

function drawPatches(random: SeededRandom, n: number): readonly Patch[] {
  return Array.from({ length: random.integer(2, 5) }, (_, i) => ({
    id: fleetId('patch', n * 5 + i),
    title: random.fill('2026-0# Cumulative Update (KB50#####)'),
    status: random.pickWeighted([
      ['pending', 12],
      ['installed', 84],
      ['failed', 4],
    ]),
  }));
}

/** Steps of 0.5 are exact in binary. A higher skew gives fewer high values. */
function halves(random: SeededRandom, skew: number): number {
  return Math.round(200 * random.fraction() ** skew) / 2;
}

const HOSTNAMES: Weighted<'desktop' | 'laptop' | 'workstation' | 'server' | 'appliance'> = [
  ['desktop', 35],
  ['laptop', 30],
  ['workstation', 20],
  ['server', 12],
  ['appliance', 3],
];

const STATUSES = [
  ['online', 600],
  ['offline', 300],
  ['maintenance', 30],
  ['decommissioned', 30],
  ['updating', 20],
  ['pending', 15],
  ['quarantined', 5],
] as const;

const ROLES = [
  ['workstation', 80],
  ['server', 12],
  ['printer', 3],
  ['switch', 2],
  ['access_point', 2],
  ['unknown', 1],
] as const;

const OS_VERSIONS = {
  windows: ['10.0.19045', '10.0.22631', '10.0.26100'],
  macos: ['14.7.1', '15.1'],
  linux: ['Ubuntu 24.04.1 LTS', 'Debian GNU/Linux 12', 'Rocky Linux 9.4'],
} as const;

/** With the share of devices. */
const TAGS: readonly (readonly [tag: string, share: number])[] = [
  ['production', 0.3],
  ['finance', 0.08],
  ['warehouse', 0.06],
  ['vip', 0.03],
  ['kiosk', 0.02],
  ['pci', 0.007],
  ['lab', 0.006],
];

const SERVICES = ['sql', 'web', 'file', 'app', 'dc', 'backup', 'db', 'print'];
const CITIES = ['berlin', 'lisbon', 'oslo', 'paris', 'prague', 'rome', 'vienna', 'zurich', 'dublin', 'porto'];
const SURNAMES = [
  'Smith',
  'Garcia',
  'Müller',
  'Nowak',
  'Rossi',
  'Silva',
  'Jensen',
  'Kovacs',
  'Dubois',
  'Novak',
];
const THINGS = ['laptop', 'workstation', 'reception kiosk', 'till', 'spare'];
const MANUFACTURERS = ['Dell Inc.', 'LENOVO', 'HP', 'Apple Inc.', 'ASUSTeK COMPUTER INC.'];
const ALERT_TITLES = ['Disk almost full', 'Agent offline', 'Backup failed', 'High CPU', 'Antivirus outdated'];
