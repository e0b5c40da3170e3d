/** Reads devices: page by page in any order, and one with all that belongs to it (Contract: §10). */
import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceDetails } from '#domain/device/device-details.ts';
import type { DeviceRow } from '#domain/device/device-row.ts';
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';

/** What to list of the devices that match, and from where on. */
export interface DevicePageRequest extends MatchRequest {
  readonly sort: DeviceSort;
  /** At most this many devices; 1 or more. */
  readonly limit: number;
  /** The page begins behind this place in the order of `sort`; null: with the first device. */
  readonly after: DevicePosition | null;
  /** How many devices are left out from there; 0 or more. */
  readonly offset: number;
  /** Whether all that match are counted as well. */
  readonly withCount: boolean;
}

/** A stretch of a list of devices. */
export interface DevicePage {
  /** In the order of the sort (`positionOrder`). */
  readonly devices: readonly DeviceRow[];
  /** All that match, wherever the page begins; null unless they were to be counted. */
  readonly totalCount: number | null;
}

/** Rejects only if storage fails or the service is overloaded. What it gives is the caller's own. */
export interface DeviceReader {
  /**
   * One page, with the count from the same snapshot. Whoever goes on behind the position of the last device of each
   * page gets every device once, unless something changes meanwhile.
   */
  page(request: DevicePageRequest): Promise<Result<DevicePage, MatchRefusal>>;
  /**
   * The device, from one snapshot; null if it does not exist or is out of reach. Its software is in code point order
   * of the names, each name once, with the version that was reported last.
   */
  find(scope: AccessScope, id: DeviceId): Promise<DeviceDetails | null>;
}
