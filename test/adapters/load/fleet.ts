/** One record of each kind, with all optional members and without them. */

function uuid(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

export const PARTNER_ID = uuid(1);
export const ORG_ID = uuid(2);
export const SITE_ID = uuid(3);
export const USER_ID = uuid(4);
export const OTHER_ID = uuid(5);
export const DEVICE_ID = uuid(6);
export const PATCH_ID = uuid(7);

export const PARTNER = { id: PARTNER_ID, name: 'Partner' };
export const ORGANIZATION = { id: ORG_ID, partnerId: PARTNER_ID, name: 'Organization' };
export const SITE = { id: SITE_ID, orgId: ORG_ID, name: 'Site' };

export const USER = {
  id: USER_ID,
  email: 'ada@example.com',
  name: 'Ada',
  password: 'correct horse',
  scope: 'organization',
  orgId: ORG_ID,
};
export const API_KEY = {
  id: OTHER_ID,
  key: `fsk_${'aB3_-'.repeat(8)}xyz`,
  userId: USER_ID,
  name: 'Deployment',
};
export const CUSTOM_FIELD = {
  id: OTHER_ID,
  orgId: ORG_ID,
  key: 'asset_tag',
  name: 'Asset tag',
  type: 'text',
};
export const SCRIPT = { id: OTHER_ID, orgId: ORG_ID, name: 'Clean up' };
export const ALERT = {
  id: OTHER_ID,
  orgId: ORG_ID,
  title: 'Disk full',
  severity: 'critical',
  status: 'active',
};
export const FILTER = {
  id: OTHER_ID,
  orgId: ORG_ID,
  name: 'Servers',
  conditions: { operator: 'AND', conditions: [] },
  createdBy: USER_ID,
};

export const DEVICE = { id: DEVICE_ID, orgId: ORG_ID, hostname: 'host-1', status: 'online' };

export const WHOLE_DEVICE = {
  ...DEVICE,
  siteId: SITE_ID,
  displayName: 'Höst 😀',
  osType: 'windows',
  osVersion: '10.0',
  osBuild: '19045',
  architecture: 'x64',
  agentVersion: '1.2.3',
  enrolledAt: '2026-01-02',
  lastSeenAt: '2026-02-10T09:00:00.5+01:00',
  lastSeenIp: '10.0.0.1',
  tags: ['lab', ''],
  deviceRole: 'server',
  lastUser: 'CORP\\ada',
  isHeadless: true,
  uptimeSeconds: 86_400.5,
  watchdogStatus: 'connected',
  quarantinedAt: '2026-02-10T08:00',
  rebootRequired: true,
  hardware: {
    manufacturer: 'Dell',
    model: 'XPS',
    serialNumber: 'S1',
    cpuModel: 'i5',
    gpuModel: 'Iris',
    cpuCores: 4,
    ramTotalMb: 8192,
    diskTotalGb: 238.47,
  },
  network: [{ ipAddress: '10.0.0.1', publicIp: '192.0.2.1', macAddress: '00:00:5e:00:53:01' }, {}],
  volumes: [{ name: 'C:', filesystem: 'NTFS', totalGb: 237.5, freeGb: 0.1 }, { name: '/data' }],
  metrics: { cpuPercent: -1.5, ramPercent: 150, diskPercent: 0 },
  software: [{ name: 'Firefox', version: '147.0' }, { name: 'Notepad' }],
  patches: [
    { id: PATCH_ID, title: 'KB1', status: 'pending' },
    { title: 'KB2', status: 'installed' },
  ],
  custom: { asset_tag: 'A1', cost: 12.5, leased: true, gone: null, constructor: 'x' },
};

/** The records as members of a document. */
export const FLEET = {
  partners: [PARTNER],
  organizations: [ORGANIZATION],
  sites: [SITE],
  users: [USER],
  apiKeys: [API_KEY],
  customFields: [CUSTOM_FIELD],
  devices: [DEVICE, WHOLE_DEVICE],
  scripts: [SCRIPT],
  alerts: [ALERT],
  filters: [FILTER],
};

const KIND_OF_COLLECTION: Readonly<Record<string, string>> = {
  partners: 'partner',
  organizations: 'organization',
  sites: 'site',
  users: 'user',
  apiKeys: 'apiKey',
  customFields: 'customField',
  devices: 'device',
  scripts: 'script',
  alerts: 'alert',
  filters: 'filter',
};

export function toNdjson(document: Readonly<Record<string, readonly object[]>>): string {
  return Object.entries(document)
    .flatMap(([collection, records]) =>
      records.map((record) => `${JSON.stringify({ kind: KIND_OF_COLLECTION[collection], ...record })}\n`),
    )
    .join('');
}
