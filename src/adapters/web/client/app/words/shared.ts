/** Words that several areas use. */
import type { DeviceStatus } from '#domain/device/device.ts';

export const product = 'Fleetsift';
export const loading = 'Loading';
export const cancel = 'Cancel';
export const close = 'Close';
export const copied = 'Copied';
export const copyFailed = 'Could not be copied';
export const loadMore = 'Load more';
export const retry = 'Try again';
export const notFoundTitle = 'There is nothing at this address';
export const notFoundText = 'The link may be old, or what it led to is gone.';
export const toDashboard = 'Go to the dashboard';
export const toDevices = 'Go to the devices';
export const goBack = 'Go back';
export const failedTitle = 'This could not be loaded';
export const offline = 'The server cannot be reached; retrying. What you see may be out of date.';
/** Of one thing that was asked for. */
export const unreachable = 'The server cannot be reached. Try again once it can.';
export const copyRequestId = 'Copy the id';
export const requestId = (id: string) => `Request ${id}`;
export const deviceStatuses = {
  online: 'Online',
  offline: 'Offline',
  maintenance: 'Maintenance',
  decommissioned: 'Decommissioned',
  quarantined: 'Quarantined',
  updating: 'Updating',
  pending: 'Pending',
} satisfies Record<DeviceStatus, string>;
export const notAllowedTitle = 'You have no access to this';

/**
 * What the words are written in, and so the numbers and dates between them: a German browser would put "vor 3 Min." into
 * an English sentence.
 */
export const LANGUAGE = 'en-GB';
