import type { MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { FilterHead } from '#application/ports/filters/saved-filter-store.ts';
import type { Device } from '#domain/device/device.ts';
import type { IndexedFilters } from './indexed-filters.ts';
import type { TimeSlices } from './time-slices.ts';

/** Which filters of its organization does a device match? */
export interface DeviceQuestion {
  readonly device: Device;
  /** Of all filters of the organization. */
  readonly heads: readonly FilterHead[];
  /** What is known of them already. */
  readonly known: IndexedFilters;
  readonly slices: TimeSlices;
  /** For whom, and when; the scope is the organization. */
  readonly request: Omit<MatchRequest, 'filter'>;
}
