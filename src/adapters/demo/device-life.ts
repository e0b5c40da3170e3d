import { assertNever } from '#domain/assert-never.ts';
import { type DeviceMetrics, type DeviceRole, type DeviceStatus, NO_METRICS } from '#domain/device/device.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { SeededRandom, Weighted } from './seeded-random.ts';

/** All instants are whole milliseconds up to now. */
export interface DeviceLife {
  readonly status: DeviceStatus;
  readonly enrolledAt: EpochMs | null;
  readonly lastSeenAt: EpochMs | null;
  readonly quarantinedAt: EpochMs | null;
  readonly uptimeSeconds: number | null;
}

/** Devices are enrolled before they are last seen. Pending devices were never seen. */
export function deviceLife(role: DeviceRole, now: EpochMs, random: SeededRandom): DeviceLife {
  const status = random.pickWeighted(STATUS_WEIGHTS);
  if (status === 'pending') {
    const enrolledAt = random.chance(0.4) ? null : ago(now, random.longTail(5 * MINUTE_MS, 6 * DAY_MS));
    return { status, enrolledAt, lastSeenAt: null, quarantinedAt: null, uptimeSeconds: null };
  }
  const lastSeenAt = ago(now, random.longTail(...SILENCES_MS[status]));
  const enrolledAt = enrolmentBefore(lastSeenAt, now, random);
  const quarantinedAt =
    status === 'quarantined' ? between(enrolledAt, lastSeenAt, 0.9 + 0.1 * random.fraction()) : null;
  return { status, enrolledAt, lastSeenAt, quarantinedAt, uptimeSeconds: uptimeSeconds(role, random) };
}

const SECOND_MS = 1_000;
const FLEET_AGE_MS = 3 * 365 * DAY_MS;

const STATUS_WEIGHTS: Weighted<DeviceStatus> = [
  ['online', 730],
  ['offline', 160],
  ['maintenance', 28],
  ['decommissioned', 32],
  ['quarantined', 15],
  ['updating', 20],
  ['pending', 15],
];

const SILENCES_MS: Readonly<Record<Exclude<DeviceStatus, 'pending'>, readonly [from: number, to: number]>> = {
  online: [2 * SECOND_MS, 5 * MINUTE_MS],
  updating: [2 * SECOND_MS, 5 * MINUTE_MS],
  maintenance: [MINUTE_MS, 8 * HOUR_MS],
  quarantined: [MINUTE_MS, 20 * DAY_MS],
  offline: [15 * MINUTE_MS, 240 * DAY_MS],
  decommissioned: [30 * DAY_MS, 700 * DAY_MS],
};

function enrolmentBefore(lastSeenAt: EpochMs, now: EpochMs, random: SeededRandom): EpochMs {
  return between(now - FLEET_AGE_MS, lastSeenAt - DAY_MS, random.fraction());
}

function uptimeSeconds(role: DeviceRole, random: SeededRandom): number | null {
  switch (role) {
    case 'workstation':
    case 'phone':
      return Math.round(random.longTail(600, 45 * 86_400));
    case 'server':
      return Math.round(random.longTail(6 * 3_600, 260 * 86_400));
    case 'router':
    case 'switch':
    case 'firewall':
    case 'access_point':
    case 'nas':
      return Math.round(random.longTail(2 * 86_400, 800 * 86_400));
    case 'printer':
    case 'iot':
    case 'camera':
      return random.chance(0.5) ? Math.round(random.longTail(3_600, 300 * 86_400)) : null;
    case 'unknown':
      return null;
    default:
      return assertNever(role);
  }
}

function ago(now: EpochMs, spanMs: number): EpochMs {
  return now - Math.round(spanMs);
}

function between(from: EpochMs, to: EpochMs, fraction: number): EpochMs {
  return from + Math.round((to - from) * fraction);
}

/** The role decides which values are reported. Some devices never sent a sample. */
export function deviceMetrics(role: DeviceRole, random: SeededRandom): DeviceMetrics {
  if (!REPORTING_ROLES.has(role) || random.chance(SILENT_SHARE)) {
    return NO_METRICS;
  }
  const hasDisk = ROLES_WITH_DISKS.has(role);
  return {
    cpuPercent: random.chance(HOT_CPU_SHARE) ? percent(90.5, 100, random) : tenth(random.longTail(1, 88)),
    ramPercent: random.chance(HOT_RAM_SHARE) ? percent(90.5, 99.5, random) : percent(24, 88, random),
    diskPercent: hasDisk ? diskPercent(random) : null,
  };
}

const REPORTING_ROLES: ReadonlySet<DeviceRole> = new Set([
  'workstation',
  'server',
  'router',
  'switch',
  'firewall',
  'nas',
]);
const ROLES_WITH_DISKS: ReadonlySet<DeviceRole> = new Set(['workstation', 'server', 'nas']);

const SILENT_SHARE = 0.02;
const HOT_CPU_SHARE = 0.025;
const HOT_RAM_SHARE = 0.04;
const FULL_DISK_SHARE = 0.02;
const FILLING_DISK_SHARE = 0.07;

function diskPercent(random: SeededRandom): number {
  if (random.chance(FULL_DISK_SHARE)) {
    return percent(95.1, 99.9, random);
  }
  return random.chance(FILLING_DISK_SHARE) ? percent(85, 95, random) : percent(12, 84, random);
}

function percent(from: number, to: number, random: SeededRandom): number {
  return tenth(from + (to - from) * random.fraction());
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
