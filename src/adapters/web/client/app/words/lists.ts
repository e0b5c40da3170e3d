import { formatNumber } from '#console/parts/display/format.ts';
import type { AlertSeverity, AlertStatus, PatchStatus } from '#domain/fleet/fleet-record.ts';

/** Organizations, alerts, scripts and patches. */
export const listWords = {
  /** What the list has so far: more may follow. */
  count: (count: number, one: string, many: string, hasMore: boolean) =>
    `${formatNumber(count)}${hasMore ? ' or more' : ''} ${count === 1 && !hasMore ? one : many}`,
  clear: 'Show all',
  organization: 'Organization',
  organizations: {
    one: 'organization',
    many: 'organizations',
    search: 'Find an organization',
    partner: 'Partner',
    devices: 'Devices',
    emptyTitle: 'No organizations',
    emptyText: 'Your account reaches none. An administrator can give you access to one.',
    noneFoundTitle: 'No organization is called that',
    noneFoundText: 'Names are searched for the text anywhere in them.',
  },
  alerts: {
    one: 'alert',
    many: 'alerts',
    severity: 'Severity',
    status: 'Status',
    alert: 'Alert',
    device: 'Device',
    noDevice: 'No device',
    raised: 'Raised',
    anySeverity: 'Any severity',
    anyStatus: 'Any status',
    severities: {
      critical: 'Critical',
      high: 'High',
      medium: 'Medium',
      low: 'Low',
      info: 'Info',
    } satisfies Record<AlertSeverity, string>,
    statuses: {
      active: 'Active',
      acknowledged: 'Acknowledged',
      resolved: 'Resolved',
    } satisfies Record<AlertStatus, string>,
    emptyTitle: 'No alerts',
    emptyText: 'Nothing has been reported about the devices here.',
    noneFoundTitle: 'No alerts like these',
    noneFoundText: 'There may be others with another severity or status.',
  },
  scripts: {
    one: 'script',
    many: 'scripts',
    search: 'Search scripts',
    name: 'Name',
    description: 'Description',
    owner: 'Belongs to',
    ofPartner: (name: string) => `${name}, all organizations`,
    emptyTitle: 'No scripts',
    emptyText:
      'Scripts come with the fleet that is loaded; there are none for the organizations in your reach.',
    noneFoundTitle: (text: string) => `No scripts with “${text}”`,
    noneFoundText: 'Names and descriptions are searched for the text anywhere in them.',
  },
  patches: {
    one: 'patch',
    many: 'patches',
    title: 'Patch',
    status: 'Status',
    anyStatus: 'Any status',
    statuses: {
      pending: 'Pending',
      installed: 'Installed',
      failed: 'Failed',
    } satisfies Record<PatchStatus, string>,
    devicesHint: 'The numbers are of devices.',
    pendingDevices: 'Devices with pending patches',
    emptyTitle: 'No patches',
    emptyText: 'No device here has reported any.',
    noneFoundTitle: (status: string) => `No ${status.toLowerCase()} patches`,
    noneFoundText: 'No device here has a patch in that status.',
  },
};
