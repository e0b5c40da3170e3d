/** The latest sample of a device of the demo: quiet for most, too hot for a few. */
import type { SeededRandom } from '#adapters/demo/seeded-random.ts';
import { type DeviceMetrics, type DeviceRole, NO_METRICS } from '#domain/device/device.ts';

/** Its sample; what a role does not report is null, and some devices never sent one. */
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
