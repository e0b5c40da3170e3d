import type { Device } from './device.ts';

/** A device as lists show it (Contract: §10). */
export interface DeviceRow
  extends Pick<
    Device,
    | 'id'
    | 'orgId'
    | 'siteId'
    | 'hostname'
    | 'displayName'
    | 'status'
    | 'osType'
    | 'osVersion'
    | 'deviceRole'
    | 'lastUser'
    | 'tags'
    | 'lastSeenAt'
    | 'enrolledAt'
    | 'metrics'
    | 'rebootRequired'
  > {
  readonly patchesPending: boolean;
  /** Whether the device has an active critical alert. */
  readonly alertsCritical: boolean;
}

/** The row of the device; lists are copied. */
export function toDeviceRow(device: Device): DeviceRow {
  return {
    id: device.id,
    orgId: device.orgId,
    siteId: device.siteId,
    hostname: device.hostname,
    displayName: device.displayName,
    status: device.status,
    osType: device.osType,
    osVersion: device.osVersion,
    deviceRole: device.deviceRole,
    lastUser: device.lastUser,
    tags: [...device.tags],
    lastSeenAt: device.lastSeenAt,
    enrolledAt: device.enrolledAt,
    metrics: { ...device.metrics },
    patchesPending: device.pendingPatchCount > 0,
    alertsCritical: device.criticalAlertCount > 0,
    rebootRequired: device.rebootRequired,
  };
}
