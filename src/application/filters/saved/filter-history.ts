/** Earlier versions of a filter (GET /filters/:id/versions, POST /filters/:id/restore; Contract: §18). */
import { type ApplicationError, FILTER_NOT_FOUND, invalidField } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { Precondition } from '#application/precondition.ts';
import type { FilterId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import type { NameCreator, NamedFilter, NamedVersion } from './name-creator.ts';
import type { UpdateFilter } from './update-filter.ts';

/** Yields the newest version first, and reads as it is consumed. Error: `not_found`. */
export type ListFilterVersions = (
  call: Call,
  id: FilterId,
) => Promise<Result<AsyncIterable<NamedVersion>, ApplicationError>>;

interface ListFilterVersionsDeps {
  readonly filters: SavedFilterReader;
  readonly nameCreator: NameCreator;
}

export function makeListFilterVersions({ filters, nameCreator }: ListFilterVersionsDeps): ListFilterVersions {
  return async (call, id) => {
    const { scope } = call.caller;
    if ((await filters.find(scope, id)) === null) return err(FILTER_NOT_FOUND);
    return ok(nameCreator.eachVersion(call, filters.versions(scope, id)));
  };
}

/**
 * Saves name, description and conditions of an earlier version as a new one. Errors: those of `UpdateFilter`,
 * because the conditions may no longer be valid; `validation_failed` if the version is not kept.
 */
export type RestoreFilter = (
  call: Call,
  id: FilterId,
  version: unknown,
  precondition: Precondition,
  /** Unchecked: the confirmed impact, if guards ask for it. */
  confirm?: unknown,
) => Promise<Result<NamedFilter, ApplicationError>>;

interface RestoreFilterDeps {
  readonly filters: SavedFilterReader;
  readonly updateFilter: UpdateFilter;
}

export function makeRestoreFilter({ filters, updateFilter }: RestoreFilterDeps): RestoreFilter {
  return async (call, id, version, precondition, confirm) => {
    const { scope } = call.caller;
    // Lets the update refuse the unknown filter, and record the refusal.
    if ((await filters.find(scope, id)) === null) return updateFilter(call, id, {}, precondition);
    const found = isVersion(version) ? await filters.findVersion(scope, id, version) : null;
    if (found === null) {
      const message = `version must be the number of one that GET /filters/${id}/versions lists`;
      return err(invalidField('version', 'invalid_value', message));
    }
    const { name, description, conditionsJson } = found;
    const input = { name, description, conditions: JSON.parse(conditionsJson), confirm };
    return updateFilter(call, id, input, precondition, found.version);
  };
}

/** Versions are 32-bit integers in PostgreSQL. */
function isVersion(sent: unknown): sent is number {
  return typeof sent === 'number' && Number.isInteger(sent) && sent >= 1 && sent < 2 ** 31;
}
