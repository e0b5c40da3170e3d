import type { MatchRefusal, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { CountRefusal, CountRequest } from '#application/ports/fleet/fleet-counter.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeviceDetails, DeviceRow } from '#domain/device/device-row.ts';
import type { DevicePosition, DeviceSort } from '#domain/device/device-sort.ts';
import type { ExportColumn, ExportRow } from '#domain/export/export-column.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import type { DeviceId } from '#domain/ids.ts';
import type { KeyedDevice } from '#domain/inventory/find-duplicates.ts';
import type { Result } from '#domain/result.ts';

export interface DevicePageRequest extends MatchRequest {
  readonly sort: DeviceSort;
  /** 1 or more. */
  readonly limit: number;
  /** The page starts after this position, or with the first device if null. */
  readonly after: DevicePosition | null;
  /** How many devices to skip after `after`; 0 or more. */
  readonly offset: number;
  readonly withCount: boolean;
  /** Further columns of each device. Custom fields must belong to organizations in the scope. */
  readonly columns: readonly ExportColumn[];
}

export interface DevicePage {
  /** In the order of `positionOrder`. */
  readonly devices: readonly DeviceRow[];
  /** The values of `columns`, one row for each device. Empty without columns. */
  readonly values: readonly ExportRow[];
  readonly totalCount: number | null;
}

/** Two filters on the same devices at the same instant. */
export interface ComparisonRequest extends Omit<MatchRequest, 'filter'> {
  readonly before: ConditionGroup;
  readonly after: ConditionGroup;
  /** The maximum number of devices in each sample; 1 or more. */
  readonly limit: number;
}

/** What changes if one filter replaces another. */
export interface Comparison {
  /** How many devices each filter matches. */
  readonly before: number;
  readonly after: number;
  readonly entering: DeviceSample;
  readonly leaving: DeviceSample;
}

export interface DeviceSample {
  readonly count: number;
  /** The first devices by host name, then id. */
  readonly devices: readonly DeviceRow[];
}

/** Reads devices (Contract: §10). Rejects only if storage fails or the service is overloaded. Results are copies. */
export interface DeviceReader {
  /**
   * Page and count come from one snapshot. If nothing changes, a client that passes each page's last device
   * as `after` gets every device once.
   */
  page(request: DevicePageRequest): Promise<Result<DevicePage, MatchRefusal>>;
  /** Counts and samples come from one snapshot. */
  compare(request: ComparisonRequest): Promise<Result<Comparison, MatchRefusal>>;
  /**
   * Null if unknown or out of reach. Reads from one snapshot. Software is in code point order; each name appears once,
   * with the version reported last.
   */
  find(scope: AccessScope, id: DeviceId): Promise<DeviceDetails | null>;
  /**
   * Devices that share a machine key or the host name with another in their organization, unordered. Some
   * returned devices may share nothing, so the caller must compare them.
   */
  keySharers(request: CountRequest): Promise<Result<readonly KeyedDevice[], CountRefusal>>;
}
