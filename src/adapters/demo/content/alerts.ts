/** The alerts of the demo: those that the state of its devices would raise, and some resolved ones. */
import { type SeededRandom, seededRandom, type Weighted } from '#adapters/demo/seeded-random.ts';
import { stableId } from '#adapters/demo/stable-id.ts';
import type { OrganizationProfile } from '#adapters/demo/tenants/organizations.ts';
import type { AlertRecord, AlertSeverity, AlertStatus, DeviceRecord } from '#domain/fleet/fleet-record.ts';

/** An alert without its owner. */
type Incident = Pick<AlertRecord, 'title' | 'message' | 'severity' | 'status'>;

/** The alerts of one device, most urgent first; none for most devices. */
export function deviceAlerts(device: DeviceRecord): readonly AlertRecord[] {
  const random = seededRandom(`alerts ${device.id}`);
  const incidents = [...currentIncidents(device, random), ...pastIncidents(device, random)];
  return incidents.map((incident, index) => ({
    kind: 'alert',
    id: stableId('alert', `${device.id}/${index}`),
    orgId: device.orgId,
    deviceId: device.id,
    ...incident,
  }));
}

/** Alerts that concern the organization rather than a device. */
export function organizationAlerts({ key, mailDomain }: OrganizationProfile): readonly AlertRecord[] {
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
  }));
}

function currentIncidents(device: DeviceRecord, random: SeededRandom): readonly Incident[] {
  const { hostname, metrics, status, deviceRole, watchdogStatus, patches } = device;
  const { cpuPercent, diskPercent } = metrics;
  const found: Incident[] = [];
  if (status === 'quarantined') {
    found.push(
      incident(
        'Ransomware behaviour blocked',
        `${hostname} was isolated from the network.`,
        'critical',
        random,
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
    found.push(incident('Server offline', `${hostname} stopped answering.`, 'critical', random));
  }
  if (status === 'offline' && EDGE_ROLES.has(deviceRole)) {
    found.push(incident('Network device unreachable', null, 'high', random));
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
): Incident {
  return { title, message, severity, status: random.pickWeighted(CURRENT_STATUSES) };
}

/** How likely a device has a resolved alert. */
const HISTORY_SHARE = 0.14;

const HISTORY: readonly Omit<Incident, 'status'>[] = [
  { title: 'Failed sign-ins', message: '14 failed sign-ins within 5 minutes.', severity: 'high' },
  { title: 'Antivirus signatures out of date', message: 'Older than 7 days.', severity: 'medium' },
  { title: 'Device offline', message: 'Not seen for an hour.', severity: 'low' },
  { title: 'Memory pressure', message: 'RAM above 95 % for 15 minutes.', severity: 'medium' },
  { title: 'SMART warning', message: 'Reallocated sectors: 12. Replace the disk.', severity: 'critical' },
  { title: 'USB storage attached', message: null, severity: 'info' },
  { title: 'Clock drift', message: 'Clock is 93 s behind (100%_ of the limit).', severity: 'low' },
  {
    title: 'Malware removed',
    message: 'PUA:Win32/Presenoker in C:\\Users\\Public\\Downloads',
    severity: 'critical',
  },
];

function pastIncidents({ status }: DeviceRecord, random: SeededRandom): readonly Incident[] {
  if (status === 'pending' || !random.chance(HISTORY_SHARE)) {
    return [];
  }
  return [{ ...random.pick(HISTORY), status: random.chance(0.9) ? 'resolved' : 'acknowledged' }];
}
