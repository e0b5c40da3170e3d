/** The alerts of the demo: those that the state of its devices would raise, and some resolved ones. */
import type { AlertRecord, AlertSeverity, AlertStatus, DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { CONTENT, type OrganizationProfile } from './demo-data.ts';
import { type SeededRandom, seededRandom, stableId, type Weighted } from './seeded-random.ts';

/** An alert without its owner. */
interface Incident extends Pick<AlertRecord, 'title' | 'message' | 'severity' | 'status'> {
  /** When it happened, if that shows on the device. */
  readonly at?: EpochMs | null;
}

/** The alerts of one device as of `now`, most urgent first; none for most devices. */
export function deviceAlerts(device: DeviceRecord, now: EpochMs): readonly AlertRecord[] {
  const random = seededRandom(`alerts ${device.id}`);
  const times = seededRandom(`alert times ${device.id}`);
  const current = currentIncidents(device, random);
  const past = pastIncidents(device, random);
  return [...current, ...past].map(({ at, ...incident }, index) => ({
    kind: 'alert',
    id: stableId('alert', `${device.id}/${index}`),
    orgId: device.orgId,
    deviceId: device.id,
    ...incident,
    createdAt: at ?? timeOnDevice(device, now, index < current.length ? CURRENT_AGES : PAST_AGES, times),
  }));
}

/** How long before its device was last seen an alert was created, at least and at most, in milliseconds. */
type Ages = readonly [from: number, to: number];
const CURRENT_AGES: Ages = [5 * MINUTE_MS, 12 * DAY_MS];
const PAST_AGES: Ages = [DAY_MS, 150 * DAY_MS];

/** Some time before the device was last seen, but not before it was enrolled. */
function timeOnDevice(
  { enrolledAt, lastSeenAt }: DeviceRecord,
  now: EpochMs,
  [from, to]: Ages,
  random: SeededRandom,
): EpochMs {
  const age = Math.round(random.longTail(from, to));
  const createdAt = (lastSeenAt ?? enrolledAt ?? now) - age;
  return enrolledAt === null ? createdAt : Math.max(createdAt, enrolledAt);
}

/** Alerts that concern the organization rather than a device. */
export function organizationAlerts(
  { key, mailDomain }: OrganizationProfile,
  now: EpochMs,
): readonly AlertRecord[] {
  const times = seededRandom(`alert times ${key}`);
  const random = seededRandom(`alerts ${key}`);
  const incidents: readonly Incident[] = [
    incident('Backup summary: 2 of 14 jobs failed', 'See the report of last night.', 'medium', random),
    incident(`Certificate of mail.${mailDomain} expires in 12 days`, null, 'high', random),
    incident(`Domain ${mailDomain} is on a block list`, 'Outgoing mail may be refused.', 'info', random),
  ];
  return incidents.map(({ at: _at, ...one }, index) => ({
    kind: 'alert',
    id: stableId('alert', `${key}/${index}`),
    orgId: stableId('organization', key),
    deviceId: null,
    ...one,
    createdAt: now - Math.round(times.longTail(HOUR_MS, 10 * DAY_MS)),
  }));
}

function currentIncidents(device: DeviceRecord, random: SeededRandom): readonly Incident[] {
  const { hostname, metrics, status, deviceRole, watchdogStatus, patches, lastSeenAt } = device;
  const { cpuPercent, diskPercent } = metrics;
  const found: Incident[] = [];
  if (status === 'quarantined') {
    found.push(
      incident(
        'Ransomware behaviour blocked',
        `${hostname} was isolated from the network.`,
        'critical',
        random,
        device.quarantinedAt,
      ),
    );
  }
  if (diskPercent !== null && diskPercent > 95) {
    found.push(
      incident(
        'Disk almost full',
        `${diskPercent} % of the disk of ${hostname} is used.`,
        'critical',
        random,
      ),
    );
  }
  if (cpuPercent !== null && cpuPercent > 90) {
    found.push(incident('Sustained CPU load', `CPU at ${cpuPercent} % for 30 minutes.`, 'high', random));
  }
  if (status === 'offline' && deviceRole === 'server') {
    found.push(incident('Server offline', `${hostname} stopped answering.`, 'critical', random, lastSeenAt));
  }
  if (status === 'offline' && EDGE_ROLES.has(deviceRole)) {
    found.push(incident('Network device unreachable', null, 'high', random, lastSeenAt));
  }
  if (watchdogStatus === 'failover') {
    found.push(
      incident(
        'Agent runs on its fallback connection',
        `Primary link of ${hostname} lost.`,
        'medium',
        random,
      ),
    );
  }
  const failed = patches.find((patch) => patch.status === 'failed');
  if (failed !== undefined) {
    found.push(incident('Patch failed to install', failed.title, 'medium', random));
  }
  if (device.rebootRequired && random.chance(0.3)) {
    found.push(incident('Reboot pending', `${hostname} waits for a restart.`, 'low', random));
  }
  if (deviceRole === 'printer' && random.chance(0.3)) {
    found.push(incident('Toner low', `Black toner of ${hostname} below 10 %.`, 'info', random));
  }
  return found;
}

const EDGE_ROLES: ReadonlySet<DeviceRecord['deviceRole']> = new Set(['router', 'switch', 'firewall']);

const CURRENT_STATUSES: Weighted<AlertStatus> = [
  ['active', 72],
  ['acknowledged', 20],
  ['resolved', 8],
];

function incident(
  title: string,
  message: string | null,
  severity: AlertSeverity,
  random: SeededRandom,
  at: EpochMs | null = null,
): Incident {
  return { title, message, severity, status: random.pickWeighted(CURRENT_STATUSES), at };
}

/** How likely a device has a resolved alert. */
const HISTORY_SHARE = 0.14;

function pastIncidents({ status }: DeviceRecord, random: SeededRandom): readonly Incident[] {
  if (status === 'pending' || !random.chance(HISTORY_SHARE)) {
    return [];
  }
  return [{ ...random.pick(CONTENT.pastAlerts), status: random.chance(0.9) ? 'resolved' : 'acknowledged' }];
}
