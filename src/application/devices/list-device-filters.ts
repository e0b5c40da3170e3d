/**
 * Lists the saved filters that a device matches (GET /devices/:id/filters; Contract: §10). An index rules out
 * most filters. The rest is evaluated in process, but long filters and those with regular expressions go to
 * the matcher and its time limit.
 */
import { type ApplicationError, CANCELLED, DEVICE_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import {
  type IndexedFilters,
  IndexedFiltersCache,
  type KnownFilter,
  statesOf,
} from '#application/devices/indexed-filters.ts';
import { withInnerFiltersOf } from '#application/filters/inner-filters.ts';
import { type Ending, makeTimeSlices, type TimeSlices } from '#application/in-slices.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import type { DeviceMatcher, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import type { FilterHead, SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { DeviceReader } from '#application/ports/fleet/device-reader.ts';
import type { OrganizationsOfPartner } from '#application/ports/fleet/organization-directory.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import { workFor } from '#application/work-for.ts';
import { narrowTo } from '#domain/access/access-scope.ts';
import { type Device, textLengthOf } from '#domain/device/device.ts';
import type { InnerFilters } from '#domain/filter/catalog/inner-filters.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import { foldCase } from '#domain/text/fold-case.ts';
import type { EpochMs } from '#domain/time.ts';

export interface DeviceFilters {
  /** Sorted by case-folded name, in code point order. */
  readonly filters: readonly (Pick<FilterHead, 'id' | 'name'> & {
    /** When the device became a member; null if the filter is not watched. */
    readonly since: EpochMs | null;
  })[];
  readonly evaluatedAt: EpochMs;
}

/** Error: `filter_timeout`, as for previews. */
export type ListDeviceFilters = (
  call: Call,
  id: DeviceId,
) => Promise<Result<DeviceFilters, ApplicationError>>;

export interface ListDeviceFiltersDeps {
  readonly deviceReader: Pick<DeviceReader, 'find'>;
  readonly filters: SavedFilterReader;
  readonly customFields: CustomFieldSource;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly memberships: Pick<Memberships, 'membershipsOf'>;
  readonly matcher: DeviceMatcher;
  readonly clock: Clock;
  /** Contract: §9, FILTER_TIMEOUT_MS. */
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
    const since = await deps.memberships.membershipsOf(scope, id);
    const filters = heads.filter((head) => matching.value.has(head.id)).sort(byName);
    return ok({
      filters: filters.map((head) => ({ id: head.id, name: head.name, since: since.get(head.id) ?? null })),
      evaluatedAt,
    });
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

interface DeviceQuestion {
  readonly device: Device;
  readonly heads: readonly FilterHead[];
  readonly known: IndexedFilters;
  readonly slices: TimeSlices;
  /** The scope of the request is the device's organization. */
  readonly request: Omit<MatchRequest, 'filter'>;
}

/**
 * In UTF-16 code units; a usual device has a few thousand. For a device with more text, a look-up could
 * exceed a time slice, so the matcher checks every filter.
 */
const MAX_TEXT_LENGTH = 100_000;

/** Filters that were indexed before a timeout stay in the index. */
async function findCandidates(
  deps: ListDeviceFiltersDeps,
  { device, heads, known, slices, request }: DeviceQuestion,
): Promise<Result<readonly KnownFilter[], Ending>> {
  const look = (): readonly KnownFilter[] => {
    if (known.size > heads.length) known.keepOnly(new Set(heads.map(({ id }) => id)));
    return textLengthOf(device) <= MAX_TEXT_LENGTH
      ? known.candidates(device)
      : known.all().map(({ id }) => ({ id, matches: null }));
  };
  const states = statesOf(heads);
  const isStale = heads.some((head) => !known.isCurrent(head, states));
  if (!isStale) return ok(look());
  return known.inTurn(async () => {
    const stale = heads.filter((head) => !known.isCurrent(head, states)).map(({ id }) => id);
    const early = await slices.next();
    if (early !== null) return err(early);
    const filters = deps.filters.findEach(request.scope, stale);
    for await (const [filter, inner] of withInnerFiltersOf(deps, request.scope, filters)) {
      const put = await slices.run(known.put(filter, states.get(filter.id) ?? '', inner));
      if (!put.ok) return put;
    }
    return ok(look());
  });
}

async function askEach(
  deps: ListDeviceFiltersDeps,
  question: DeviceQuestion,
  candidates: readonly KnownFilter[],
): Promise<Result<ReadonlySet<FilterId>, Ending>> {
  const { device, slices, request } = question;
  const matching = new Set<FilterId>();
  const left: FilterId[] = [];
  for (const { id, matches } of candidates) {
    if (matches === null) left.push(id);
    else if (matches(device, request.at)) matching.add(id);
    const ending = await slices.next();
    if (ending !== null) return err(ending);
  }
  const filters = deps.filters.findEach(request.scope, left);
  for await (const [filter, inner] of withInnerFiltersOf(deps, request.scope, filters)) {
    const answer = await askMatcher(deps, question, filter, inner);
    if (!answer.ok) return answer;
    if (answer.value) matching.add(filter.id);
    const ending = await slices.next();
    if (ending !== null) return err(ending);
  }
  return ok(matching);
}

/** Also false if the filter can no longer be evaluated. */
async function askMatcher(
  deps: ListDeviceFiltersDeps,
  { device, known, slices, request }: DeviceQuestion,
  filter: SavedFilter,
  inner: InnerFilters,
): Promise<Result<boolean, Ending>> {
  const conditions = await slices.run(known.understand(filter, inner));
  if (!conditions.ok) return conditions;
  if (conditions.value === null) return ok(false);
  const answer = await deps.matcher.matches({ ...request, filter: conditions.value }, device.id);
  if (answer.ok) return answer;
  switch (answer.error.kind) {
    case 'invalid-pattern':
      return ok(false);
    case 'timeout':
      return err('timeout');
    case 'cancelled':
      return err((await slices.next()) ?? 'timeout');
  }
}
