/** Finds out which devices a request means: conditions, a filter text, a saved filter, or all (Contract: §10). */
import { isInReach } from '#application/access/narrow-reach.ts';
import {
  type ApplicationError,
  FILTER_NOT_FOUND,
  type FieldError,
  invalidField,
  ORGANIZATION_NOT_FOUND,
  toValidationError,
} from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import { type CheckSavedFilterDeps, checkSavedFilter } from '#application/filters/saved/read-filter.ts';
import type { CheckText } from '#application/filters/text/check-text.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { OrganizationDirectory } from '#application/ports/fleet/organization-directory.ts';
import { type AccessScope, narrowTo } from '#domain/access/access-scope.ts';
import type { ConditionGroup } from '#domain/filter/conditions/condition.ts';
import { type FilterId, type OrgId, parseId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';

/**
 * Unchecked input. At most one of `conditions`, `q` and `filterId` may be sent. Null counts as sent: a client
 * that sends it by mistake must not get every device.
 */
export interface DeviceQueryInput {
  readonly conditions?: unknown;
  /** A filter text; a blank one matches every device. */
  readonly q?: unknown;
  readonly filterId?: unknown;
  readonly orgId?: unknown;
}

export interface DeviceQuery {
  /** An empty `AND`, which matches every device, if nothing was sent. */
  readonly filter: ConditionGroup;
  /** The organizations of the query: those of the saved filter, the named one, or the whole reach. */
  readonly scope: AccessScope;
  readonly filterId: FilterId | null;
  /** Null if the query may cover several organizations. */
  readonly orgId: OrgId | null;
}

export type ResolveDeviceQuery = (
  call: Call,
  input: DeviceQueryInput,
) => Promise<Result<DeviceQuery, ApplicationError>>;

export interface ResolveDeviceQueryDeps extends CheckSavedFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkText: CheckText;
  readonly organizationExists: OrganizationDirectory;
}

export function makeResolveDeviceQuery(deps: ResolveDeviceQueryDeps): ResolveDeviceQuery {
  return async (call, input) => {
    const { scope: reach, userId } = call.caller;
    const shape = checkShape(input);
    if (!shape.ok) return shape;
    const { filterId, orgId } = shape.value;

    if (orgId !== null && !(await isInReach(deps.organizationExists, reach, orgId))) {
      return err(ORGANIZATION_NOT_FOUND);
    }
    if (filterId !== null) return resolveSaved(deps, call, filterId, orgId);

    const scope = orgId === null ? reach : narrowTo(reach, orgId);
    const { conditions, q } = input;
    if (conditions !== undefined) {
      const checked = await deps.checkConditions(scope, conditions, userId);
      if (!checked.ok) return err(toFilterError(checked.error));
      return ok({ filter: checked.value, scope, filterId, orgId });
    }
    if (q !== undefined && !isBlank(q)) {
      const checked = await deps.checkText(scope, q, userId);
      if (!checked.ok) return checked;
      return ok({ filter: checked.value.filter, scope, filterId, orgId });
    }
    return ok({ filter: EVERYTHING, scope, filterId, orgId });
  };
}

const EVERYTHING: ConditionGroup = { kind: 'group', operator: 'AND', conditions: [] };

async function resolveSaved(
  deps: ResolveDeviceQueryDeps,
  call: Call,
  filterId: FilterId,
  orgId: OrgId | null,
): Promise<Result<DeviceQuery, ApplicationError>> {
  const saved = await deps.filters.find(call.caller.scope, filterId);
  if (saved === null) return err(FILTER_NOT_FOUND);
  if (orgId !== null && saved.orgId !== null && orgId !== saved.orgId) {
    return err(
      invalidField(
        'orgId',
        'invalid_value',
        `the filter belongs to the organization ${saved.orgId} and covers its devices alone; leave orgId out`,
      ),
    );
  }
  const checked = await checkSavedFilter(deps, call, saved, orgId);
  if (!checked.ok) return checked;
  if (checked.value.scope.kind === 'none' && orgId !== null) {
    const message = 'the filter belongs to another partner and does not cover this organization';
    return err(invalidField('orgId', 'invalid_value', message));
  }
  return ok({ ...checked.value, filterId, orgId: saved.orgId ?? orgId });
}

/** Returns the parsed ids, or faults if a member is invalid or two members exclude each other. */
function checkShape({
  conditions,
  q,
  filterId,
  orgId,
}: DeviceQueryInput): Result<{ filterId: FilterId | null; orgId: OrgId | null }, ApplicationError> {
  const faults: FieldError[] = [];
  const restrictions = Object.entries({ conditions, q, filterId }).filter(([, value]) => value !== undefined);
  const [first, second] = restrictions;
  if (first !== undefined && second !== undefined) {
    faults.push({
      path: second[0],
      code: 'value_not_allowed',
      message: `send at most one of conditions, q and filterId; ${first[0]} and ${second[0]} were sent`,
    });
  }
  const ids = {
    filterId: readId<'filter'>('filterId', filterId),
    orgId: readId<'organization'>('orgId', orgId),
  };
  for (const id of Object.values(ids)) if (!id.ok) faults.push(id.error);
  if (faults.length > 0 || !ids.filterId.ok || !ids.orgId.ok) return err(toValidationError(faults));
  return ok({ filterId: ids.filterId.value, orgId: ids.orgId.value });
}

function readId<K extends 'filter' | 'organization'>(path: string, sent: unknown) {
  if (sent === undefined) return ok(null);
  const id = parseId<K>(sent);
  const fault: FieldError = { path, code: 'invalid_value', message: `${path} must be a UUID` };
  return id === null ? err(fault) : ok(id);
}

function isBlank(q: unknown): boolean {
  return typeof q === 'string' && /^\s*$/.test(q);
}
