/**
 * Lists the saved filters of its organization that a device matches (GET /devices/:id/filters; Contract: §10). An
 * index rules most of them out. The rest are evaluated in process, except long ones and those with regular
 * expressions, which go to the matcher and its time limit.
 */
import { type ApplicationError, CANCELLED, DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { FilterHead, SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import { workFor } from '#application/work-for.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import type { DeviceId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';
import { askEach } from './filters-of-device/ask-each.ts';
import { findCandidates } from './filters-of-device/find-candidates.ts';
import { IndexedFiltersCache } from './filters-of-device/indexed-filters-cache.ts';
import { type Ending, makeTimeSlices } from './filters-of-device/time-slices.ts';

export interface DeviceFilters {
  /** Sorted by name, ignoring case, in code point order. */
  readonly filters: readonly Pick<FilterHead, 'id' | 'name'>[];
  readonly evaluatedAt: EpochMs;
}

/** `filter_timeout` if it takes longer than a preview may. Filters indexed by then stay indexed. */
export type ListDeviceFilters = (
  call: Call,
  id: DeviceId,
) => Promise<Result<DeviceFilters, ApplicationError>>;

export interface ListDeviceFiltersDeps {
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly filters: SavedFilterReader;
  readonly customFields: CustomFieldSource;
  readonly matcher: DeviceMatcher;
  readonly clock: Clock;
  /** Milliseconds (Contract: §9, FILTER_TIMEOUT_MS). */
  readonly filterTimeoutMs: number;
}

export function makeListDeviceFilters(deps: ListDeviceFiltersDeps): ListDeviceFilters {
  const cache = new IndexedFiltersCache();
  return async (call, id) => {
    const evaluatedAt = deps.clock();
    const slices = makeTimeSlices(deps.filterTimeoutMs, call.signal);
    const found = await deps.deviceReader.find(call.caller.scope, id);
    if (found === null) return err(DEVICE_NOT_FOUND);
    const { device } = found;
    const scope = narrowTo(call.caller.scope, device.orgId);
    const [heads, definitions] = await Promise.all([
      deps.filters.heads(scope, device.orgId),
      deps.customFields(scope),
    ]);
    const known = cache.of(device.orgId, definitions);
    const work = { ...workFor(call), signal: slices.signal };
    const question = { device, heads, known, slices, request: { scope, at: evaluatedAt, ...work } };
    const candidates = await slices.within(findCandidates(deps, question));
    if (!candidates.ok) return err(ENDINGS[candidates.error]);
    cache.trim();
    const matching = await askEach(deps, question, candidates.value);
    if (!matching.ok) return err(ENDINGS[matching.error]);
    const filters = heads.filter((head) => matching.value.has(head.id)).sort(byName);
    return ok({ filters: filters.map(({ id, name }) => ({ id, name })), evaluatedAt });
  };
}

const ENDINGS: Readonly<Record<Ending, ApplicationError>> = {
  timeout: {
    code: 'filter_timeout',
    detail:
      "Checking the filters of the device's organization took too long. Simplify the longest ones or try again.",
  },
  cancelled: CANCELLED,
};

function byName(a: FilterHead, b: FilterHead): number {
  return (
    compareCodePoints(foldCase(a.name), foldCase(b.name)) ||
    compareCodePoints(a.name, b.name) ||
    (a.id < b.id ? -1 : 1)
  );
}
