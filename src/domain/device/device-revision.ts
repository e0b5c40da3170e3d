/** Whether somebody has changed a device in the meantime (Contract: §10, ETag of GET /devices/:id). */
import { digestText } from '#domain/text/digest-text.ts';
import type { Device } from './device.ts';
import { isLasting } from './lasting-status.ts';

/** What a revision depends on. */
export type RevisedDevice = Pick<Device, 'displayName' | 'tags' | 'custom' | 'status'>;

/**
 * 16 hexadecimal digits that stay the same until somebody changes what people change: display name, tags, custom
 * values and a status that stays. What the device itself reports does not matter, nor that it falls silent; `offline`
 * set by hand does not either, as it looks like silence and ends with the next report.
 */
export function deviceRevision({ displayName, tags, custom, status }: RevisedDevice): string {
  const values = [...custom].sort(([a], [b]) => (a < b ? -1 : 1));
  return digestText(JSON.stringify([displayName, tags, values, isLasting(status) ? status : null]));
}
