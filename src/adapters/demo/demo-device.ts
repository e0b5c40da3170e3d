import {
  type DeviceRole,
  type DeviceStatus,
  NO_HARDWARE,
  NO_METRICS,
  type WatchdogStatus,
} from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { EpochMs } from '#domain/time.ts';
import { customFieldsOf, customValues } from './custom-fields.ts';
import { AGENT_VERSIONS, NAMES, type OrganizationProfile } from './demo-data.ts';
import { deviceLife, deviceMetrics } from './device-life.ts';
import { drawMachine, type Machine } from './device-machine.ts';
import { displayName, drawPerson, hostnameOf, lastUser } from './device-names.ts';
import { lastSeenIp, networkInterfaces } from './device-network.ts';
import type { PlannedDevice } from './device-plan.ts';
import { devicePatches, installedSoftware } from './device-software.ts';
import { deviceVolumes } from './device-volumes.ts';
import { type SeededRandom, seededRandom, stableId } from './seeded-random.ts';

/** Only timestamps and dates depend on `now`. */
export function demoDevice(planned: PlannedDevice, now: EpochMs): DeviceRecord {
  const { key, organization, site, role } = planned;
  const random = seededRandom(`device ${key}`);
  const person = drawPerson(random);
  const machine = drawMachine(role, organization, random);
  const { osType, osVersion, osBuild, architecture, isPortable, computer } = machine;
  const life = deviceLife(role, now, random);
  const { status } = life;
  // A pending device reports only its name and system.
  const hasReported = status !== 'pending';
  const agentVersion = computer === null ? null : installedAgent(status, random);
  const patches = hasReported ? devicePatches(key, machine, random) : null;

  const device: Omit<DeviceRecord, 'volumes'> = {
    kind: 'device',
    id: stableId('device', key),
    orgId: stableId('organization', organization.key),
    siteId: random.chance(NO_SITE_SHARE) ? null : stableId('site', `${organization.key}/${site.key}`),
    hostname: hostnameOf({ planned, osType, isPortable, login: person.login }, random),
    displayName: displayName(planned, person, machine, random),
    status,
    osType,
    osVersion,
    osBuild,
    architecture,
    agentVersion,
    enrolledAt: life.enrolledAt,
    lastSeenAt: life.lastSeenAt,
    lastSeenIp: hasReported ? lastSeenIp(planned, isPortable, random) : null,
    tags: deviceTags(role, organization, machine, random),
    deviceRole: role,
    lastUser: hasReported ? lastUser(role, machine, organization, person, random) : null,
    isHeadless: hasReported ? isHeadless(role, random) : null,
    uptimeSeconds: life.uptimeSeconds,
    watchdogStatus: hasWatchdog(agentVersion) && hasReported ? watchdogStatus(status, random) : null,
    quarantinedAt: life.quarantinedAt,
    rebootRequired:
      patches?.some((patch) => patch.status === 'pending') === true &&
      random.chance(REBOOT_SHARE_WHEN_PATCHES_PEND),
    hardware: hasReported ? machine.hardware : NO_HARDWARE,
    metrics: hasReported ? deviceMetrics(role, random) : NO_METRICS,
    network: hasReported ? networkInterfaces(planned, machine.hardware.manufacturer, isPortable, random) : [],
    software: hasReported ? installedSoftware(machine, organization.trade, random) : [],
    patches,
    custom: computer === null ? new Map() : customValues(customFieldsOf(organization), now, random),
  };
  return { ...device, volumes: deviceVolumes(machine, device.metrics) };
}

const NO_SITE_SHARE = 0.03;
const REBOOT_SHARE_WHEN_PATCHES_PEND = 0.35;

/** Decommissioned devices keep old versions. Some pending devices have not reported a version. */
function installedAgent(status: DeviceStatus, random: SeededRandom): string | null {
  switch (status) {
    case 'pending':
      return random.chance(0.5) ? null : random.pickWeighted(AGENT_VERSIONS);
    case 'decommissioned':
      return random.pickWeighted(AGENT_VERSIONS.slice(-7));
    default:
      return random.pickWeighted(AGENT_VERSIONS);
  }
}

function isHeadless(role: DeviceRole, random: SeededRandom): boolean | null {
  switch (role) {
    case 'workstation':
      return false;
    case 'server':
      return random.chance(0.85);
    case 'nas':
    case 'iot':
      return true;
    default:
      return null;
  }
}

function watchdogStatus(status: DeviceStatus, random: SeededRandom): WatchdogStatus {
  if (status === 'offline' || status === 'decommissioned') {
    return 'offline';
  }
  return random.pickWeighted([
    ['connected', 95],
    ['failover', 3],
    ['offline', 2],
  ]);
}

/** Agent 3.0 introduced the watchdog. */
function hasWatchdog(agentVersion: string | null): boolean {
  return agentVersion !== null && Number.parseInt(agentVersion, 10) >= 3;
}

function deviceTags(
  role: DeviceRole,
  { trade }: OrganizationProfile,
  { isPortable, isKiosk }: Machine,
  random: SeededRandom,
): readonly string[] {
  const shares = [
    ...(isKiosk ? NAMES.tags.kiosk : NAMES.tags.roles[role]),
    ...(isPortable ? NAMES.tags.portable : []),
    ...(role === 'workstation' ? NAMES.tags.trades[trade] : []),
  ];
  return shares.filter(([, share]) => random.chance(share)).map(([tag]) => tag);
}
