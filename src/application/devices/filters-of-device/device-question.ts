import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { FilterHead } from '#application/ports/filters/saved-filter-store.ts';
import type { Device } from '#domain/device/device.ts';
import type { IndexedFilters } from './indexed-filters.ts';
import type { TimeSlices } from './time-slices.ts';

/** The question which filters of its organization a device matches. */
export interface DeviceQuestion {
  readonly device: Device;
  /** All filters of the organization. */
  readonly heads: readonly FilterHead[];
  /** The filters that are indexed already. */
  readonly known: IndexedFilters;
  readonly slices: TimeSlices;
  /** The scope is the device's organization. */
  readonly request: Omit<MatchRequest, 'filter'>;
}
