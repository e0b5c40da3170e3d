/** GET /filters/:id (Contract: §5). */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { OrganizationsOfPartner } from '#application/ports/fleet/organization-directory.ts';
import { workFor } from '#application/work-for.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { matchesSearch, ownerOfFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { DeviceId, FilterId, OrgId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { trimText } from '#domain/text/storable-text.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';

/** Error: `not_found`, also if the filter is out of reach. */
export type ReadFilter = (call: Call, id: FilterId) => Promise<Result<NamedFilter, ApplicationError>>;

interface ReadFilterDeps {
  readonly filters: SavedFilterReader;
  readonly nameCreator: NameCreator;
}

export function makeReadFilter({ filters, nameCreator }: ReadFilterDeps): ReadFilter {
  return async (call, id) => {
    const filter = await filters.find(call.caller.scope, id);
    return nameCreator.one(call, filter === null ? err(FILTER_NOT_FOUND) : ok(filter));
  };
}

type FilterTexts = Pick<SavedFilter, 'name' | 'description'>;

// GET /filters (Contract: §5).

/**
 * Filters in reach, newest first, read as they are consumed. `search` matches name or description literally, ignoring
 * case; blank matches all.
 */
export type ListFilters = (call: Call, search: string) => AsyncIterable<NamedFilter>;

export function makeListFilters({ filters, nameCreator }: ReadFilterDeps): ListFilters {
  return (call, search) => {
    const isWanted =
      trimText(search) === '' ? undefined : (filter: FilterTexts) => matchesSearch(filter, search);
    return nameCreator.each(call, filters.list(call.caller.scope, isWanted));
  };
}

// Serves deployment engines and dynamic groups of embedders. There is no route.

/** Batches of ids from one snapshot, each device once. Throws `MatchStreamError` if it cannot continue. */
export type ResolveFilter = (
  call: Call,
  id: FilterId,
) => Promise<Result<AsyncIterable<readonly DeviceId[]>, ApplicationError>>;

interface ResolveFilterDeps extends CheckSavedFilterDeps {
  readonly filters: SavedFilterReader;
  readonly matcher: DeviceMatcher;
  readonly clock: Clock;
}

export function makeResolveFilter(deps: ResolveFilterDeps): ResolveFilter {
  return async (call, id) => {
    const saved = await deps.filters.find(call.caller.scope, id);
    if (saved === null) return err(FILTER_NOT_FOUND);
    const checked = await checkSavedFilter(deps, call, saved);
    if (!checked.ok) return checked;
    return ok(deps.matcher.streamIds({ ...checked.value, at: deps.clock(), ...workFor(call) }));
  };
}

// Checks a saved filter against the current definitions of the organizations that it covers (Contract: §5, §18).

export interface CheckSavedFilterDeps {
  readonly checkConditions: CheckConditions;
  readonly organizationsOf: OrganizationsOfPartner;
}

export interface CheckedFilter {
  readonly filter: ConditionGroup;
  /** What the filter covers within the caller's reach. */
  readonly scope: AccessScope;
}

/**
 * `validation_failed` if the filter is no longer valid, for example after a custom field was deleted. Callers who reach
 * only a part of a partner cannot know whether other organizations define the field; for them it is NULL.
 */
export async function checkSavedFilter(
  deps: CheckSavedFilterDeps,
  { caller }: Call,
  saved: SavedFilter,
  orgId: OrgId | null = null,
): Promise<Result<CheckedFilter, ApplicationError>> {
  const covered = await coverageOf(deps, caller.scope, saved);
  const scope = orgId === null ? covered : narrowTo(covered, orgId);
  const isPart = saved.partnerId !== null && !(scope.kind === 'partner' && scope.isWhole);
  const conditions = JSON.parse(saved.conditionsJson);
  const filter = await deps.checkConditions(scope, conditions, caller.userId, {
    undefinedFields: isPart ? 'null' : 'fault',
    owner: ownerOfFilter(saved),
  });
  return filter.ok ? ok({ filter: filter.value, scope }) : err(toFilterError(filter.error));
}

/**
 * Returns the part of the scope that the filter covers. Only the system scope has several partners, so a
 * partner's filter covers all of any other scope.
 */
export async function coverageOf(
  { organizationsOf }: Pick<CheckSavedFilterDeps, 'organizationsOf'>,
  scope: AccessScope,
  { orgId, partnerId }: Pick<SavedFilter, 'orgId' | 'partnerId'>,
): Promise<AccessScope> {
  if (orgId !== null) return narrowTo(scope, orgId);
  if (partnerId === null || scope.kind !== 'system') return scope;
  return { kind: 'partner', partnerId, orgIds: (await organizationsOf(partnerId)) ?? [], isWhole: true };
}
