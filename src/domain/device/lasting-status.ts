/** Statuses that neither a report nor silence ends (Contract: §13). */
import type { DeviceStatus } from './device.ts';

/** Whether the status stays until somebody sets another. */
export function isLasting(status: DeviceStatus): boolean {
  return LASTING[status];
}

const LASTING: Readonly<Record<DeviceStatus, boolean>> = {
  online: false,
  offline: false,
  maintenance: true,
  decommissioned: true,
  quarantined: true,
  updating: false,
  pending: false,
};
