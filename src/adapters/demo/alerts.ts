import type { AlertRecord, AlertSeverity, AlertStatus, DeviceRecord } from '#domain/fleet/fleet-record.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { CONTENT, type OrganizationProfile } from './demo-data.ts';
import { type SeededRandom, seededRandom, stableId, type Weighted } from './seeded-random.ts';

interface Incident extends Pick<AlertRecord, 'title' | 'message' | 'severity' | 'status'> {
  /** Absent or null if the device does not show when the incident happened. */
  readonly at?: EpochMs | null;
}

/** Current alerts first. Most devices have none. */
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

/** How long before the device's last contact an alert was created, in milliseconds. */
type Ages = readonly [from: number, to: number];
const CURRENT_AGES: Ages = [5 * MINUTE_MS, 12 * DAY_MS];
const PAST_AGES: Ages = [DAY_MS, 150 * DAY_MS];

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
  return incidents.map((one, index) => ({
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
  const raise = (title: string, message: string | null, severity: AlertSeverity, at: EpochMs | null = null) =>
    void found.push({ ...incident(title, message, severity, random), at });
  if (status === 'quarantined') {
    const message = `${hostname} was isolated from the network.`;
    raise('Ransomware behaviour blocked', message, 'critical', device.quarantinedAt);
  }
  if (diskPercent !== null && diskPercent > 95) {
    raise('Disk almost full', `${diskPercent} % of the disk of ${hostname} is used.`, 'critical');
  }
  if (cpuPercent !== null && cpuPercent > 90) {
    raise('Sustained CPU load', `CPU at ${cpuPercent} % for 30 minutes.`, 'high');
  }
  if (status === 'offline' && deviceRole === 'server') {
    raise('Server offline', `${hostname} stopped answering.`, 'critical', lastSeenAt);
  }
  if (status === 'offline' && EDGE_ROLES.has(deviceRole)) {
    raise('Network device unreachable', null, 'high', lastSeenAt);
  }
  if (watchdogStatus === 'failover') {
    raise('Agent runs on its fallback connection', `Primary link of ${hostname} lost.`, 'medium');
  }
  const failed = patches?.find((patch) => patch.status === 'failed');
  if (failed !== undefined) raise('Patch failed to install', failed.title, 'medium');
  if (device.rebootRequired && random.chance(0.3)) {
    raise('Reboot pending', `${hostname} waits for a restart.`, 'low');
  }
  if (deviceRole === 'printer' && random.chance(0.3)) {
    raise('Toner low', `Black toner of ${hostname} below 10 %.`, 'info');
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
): Incident {
  return { title, message, severity, status: random.pickWeighted(CURRENT_STATUSES) };
}

const HISTORY_SHARE = 0.14;

function pastIncidents({ status }: DeviceRecord, random: SeededRandom): readonly Incident[] {
  if (status === 'pending' || !random.chance(HISTORY_SHARE)) {
    return [];
  }
  return [{ ...random.pick(CONTENT.pastAlerts), status: random.chance(0.9) ? 'resolved' : 'acknowledged' }];
}
