/** Detects changes of a device by people (Contract: §10, ETag of GET /devices/:id). */
import { digestText } from '#domain/text/digest-text.ts';
import type { Device } from './device.ts';
import { isLasting } from './lasting-status.ts';

export type RevisedDevice = Pick<Device, 'displayName' | 'tags' | 'custom' | 'status'>;

/**
 * 16 hexadecimal digits over what people change: display name, tags, custom values and a lasting status. What a
 * device reports does not count. `offline` set by hand does not count either: it ends with the next report.
 */
export function deviceRevision({ displayName, tags, custom, status }: RevisedDevice): string {
  const values = [...custom].sort(([a], [b]) => (a < b ? -1 : 1));
  return digestText(JSON.stringify([displayName, tags, values, isLasting(status) ? status : null]));
}
