import type { DeviceStatus } from '#domain/device/device.ts';

/** Words that several areas use. */
export const sharedWords = {
  product: 'Fleetsift',
  loading: 'Loading',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copyFailed: 'Could not be copied',
  loadMore: 'Load more',
  retry: 'Try again',
  notFoundTitle: 'There is nothing at this address',
  notFoundText: 'The link may be old, or what it led to is gone.',
  toDashboard: 'Go to the dashboard',
  toDevices: 'Go to the devices',
  goBack: 'Go back',
  failedTitle: 'This could not be loaded',
  offline: 'The server cannot be reached. What you see may be out of date; it is tried again by itself.',
  /** Of one thing that was asked for. */
  unreachable: 'The server cannot be reached. Try again once it can.',
  requestId: (id: string) => `Request ${id}`,
  deviceStatuses: {
    online: 'Online',
    offline: 'Offline',
    maintenance: 'Maintenance',
    decommissioned: 'Decommissioned',
    quarantined: 'Quarantined',
    updating: 'Updating',
    pending: 'Pending',
  } satisfies Record<DeviceStatus, string>,
  notAllowedTitle: 'You have no access to this',
};
