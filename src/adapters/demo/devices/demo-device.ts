/** One complete, coherent device of the demo. */
import { AGENT_VERSIONS, hasWatchdog } from '#adapters/demo/catalogue/software/agent-versions.ts';
import { customFieldsOf } from '#adapters/demo/content/custom-fields.ts';
import { customValues } from '#adapters/demo/content/custom-values.ts';
import { type SeededRandom, seededRandom } from '#adapters/demo/seeded-random.ts';
import { stableId } from '#adapters/demo/stable-id.ts';
import { drawPerson } from '#adapters/demo/tenants/person-names.ts';
import {
  type DeviceRole,
  type DeviceStatus,
  NO_HARDWARE,
  NO_METRICS,
  type WatchdogStatus,
} from '#domain/device/device.ts';
import type { DeviceRecord } from '#domain/fleet/fleet-record.ts';
import type { EpochMs } from '#domain/time.ts';
import { deviceLife } from './device-life.ts';
import { drawMachine } from './device-machine.ts';
import { deviceMetrics } from './device-metrics.ts';
import { lastSeenIp, networkInterfaces } from './device-network.ts';
import { devicePatches } from './device-patches.ts';
import type { PlannedDevice } from './device-plan.ts';
import { deviceTags } from './device-tags.ts';
import { displayName } from './display-names.ts';
import { hostnameOf } from './hostnames.ts';
import { lastUser } from './last-users.ts';
import { installedSoftware } from './software-installed.ts';

/** The planned device as it is at `now`; only timestamps and dates depend on that. */
export function demoDevice(planned: PlannedDevice, now: EpochMs): DeviceRecord {
  const { key, organization, site, role } = planned;
  const random = seededRandom(`device ${key}`);
  const person = drawPerson(random);
  const machine = drawMachine(role, organization, random);
  const { osType, osVersion, osBuild, architecture, isPortable, computer } = machine;
  const life = deviceLife(role, now, random);
  const { status } = life;
  // A pending device has announced its name and its system, and reports the rest once it is let in.
  const hasReported = status !== 'pending';
  const agentVersion = computer === null ? null : installedAgent(status, random);
  const patches = hasReported ? devicePatches(key, machine, random) : [];

  return {
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
      patches.some((patch) => patch.status === 'pending') && random.chance(REBOOT_SHARE_WHEN_PATCHES_PEND),
    hardware: hasReported ? machine.hardware : NO_HARDWARE,
    metrics: hasReported ? deviceMetrics(role, random) : NO_METRICS,
    network: hasReported ? networkInterfaces(planned, machine.hardware.manufacturer, isPortable, random) : [],
    software: hasReported ? installedSoftware(machine, organization.trade, random) : [],
    patches,
    custom: computer === null ? new Map() : customValues(customFieldsOf(organization), now, random),
  };
}

/** The share of devices without a site. */
const NO_SITE_SHARE = 0.03;
const REBOOT_SHARE_WHEN_PATCHES_PEND = 0.35;

/** Decommissioned devices keep their last agent version; some pending ones have not reported theirs. */
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

/** Computers report whether they have a screen; of other devices it is known only if they cannot have one. */
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
