/** Cursors for pages of devices (Contract: §10, nextCursor). */
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import { type DevicePosition, type DeviceSort, printDeviceSort } from '#domain/device/device-sort.ts';
import { printConditions } from '#domain/filter/conditions/print-conditions.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { DeviceQuery } from './resolve-device-query.ts';

export interface DeviceCursor {
  /** Later pages are evaluated at the instant of the first. */
  readonly evaluatedAt: EpochMs;
  readonly position: DevicePosition;
}

export interface CursorUse {
  readonly userId: UserId;
  readonly query: DeviceQuery;
  readonly sort: DeviceSort;
}

export function printDeviceCursor(
  signer: CursorSigner,
  use: CursorUse,
  { evaluatedAt, position }: DeviceCursor,
): string {
  const { value, hostname, id } = position;
  return signer.seal(JSON.stringify([evaluatedAt, value, hostname, id]), boundTo(use));
}

/** Null if the cursor was not issued for this use. */
export function readDeviceCursor(signer: CursorSigner, use: CursorUse, cursor: string): DeviceCursor | null {
  const text = signer.open(cursor, boundTo(use));
  if (text === null) return null;
  const [evaluatedAt, value, hostname, id] = JSON.parse(text);
  return { evaluatedAt, position: { value, hostname, id } };
}

/** Contains the conditions, so a cursor stops working when its saved filter changes. */
function boundTo({ userId, query: { filter, filterId, orgId }, sort }: CursorUse): string {
  return JSON.stringify(['devices', userId, filterId, orgId, printDeviceSort(sort), printConditions(filter)]);
}
