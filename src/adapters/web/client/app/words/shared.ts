import type { DeviceStatus } from '#domain/device/device.ts';

export const product = 'Fleetsift';
export const loading = 'Loading';
export const cancel = 'Cancel';
export const close = 'Close';
export const shownOnceTitle = 'Close this for good?';
export const shownOnceText = 'It is shown only once. Copy what you need before you close it.';
export const keepOpen = 'Keep it open';
export const copied = 'Copied';
export const copyFailed = 'Could not copy';
export const loadMore = 'Load more';
export const retry = 'Try again';
export const notFoundTitle = 'Page not found';
export const notFoundText = 'The link may be out of date, or the page may have been removed.';
export const toDashboard = 'Go to dashboard';
export const toDevices = 'Go to devices';
export const goBack = 'Go back';
export const failedTitle = 'This page could not be loaded';
export const offline = 'Can’t reach the server. Retrying… What you see may be out of date.';
/** The message for one failed request. The message for the whole page is `offline`. */
export const unreachable = 'Can’t reach the server. Try again in a moment.';
export const copyRequestId = 'Copy ID';
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
export const notAllowedTitle = 'You don’t have access to this page';

export const LANGUAGE = 'en-GB';
