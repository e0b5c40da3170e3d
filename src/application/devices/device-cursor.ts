/** Where the next page of a list of devices begins, as clients carry it (Contract: §10, nextCursor). */
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import { type DevicePosition, type DeviceSort, printDeviceSort } from '#domain/device/device-sort.ts';
import { printConditions } from '#domain/filter/conditions/print-conditions.ts';
import type { UserId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { DeviceQuery } from './resolve-device-query.ts';

/** What a cursor carries. */
export interface DeviceCursor {
  /** The instant of the first page, at which later pages are evaluated as well. */
  readonly evaluatedAt: EpochMs;
  /** Of the last device of the page before. */
  readonly position: DevicePosition;
}

/** What a cursor is good for: this user, this query, this sort. */
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

/** Null for a cursor that was not issued for this use. */
export function readDeviceCursor(signer: CursorSigner, use: CursorUse, cursor: string): DeviceCursor | null {
  const text = signer.open(cursor, boundTo(use));
  if (text === null) return null;
  const [evaluatedAt, value, hostname, id] = JSON.parse(text);
  return { evaluatedAt, position: { value, hostname, id } };
}

/**
 * The query by what it asks for, so that the pages of a saved filter end when its conditions change: the rest would be
 * the rest of another list.
 */
function boundTo({ userId, query: { filter, filterId, orgId }, sort }: CursorUse): string {
  return JSON.stringify(['devices', userId, filterId, orgId, printDeviceSort(sort), printConditions(filter)]);
}
