import { NOT_THE_WHOLE_PARTNER } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  FILTER_NOT_FOUND,
  faultsIn,
  quotaExceeded,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { CheckConditions } from '#application/filters/check-conditions.ts';
import { toFilterError } from '#application/filters/filter-input.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { OrganizationsOfPartner } from '#application/ports/fleet/organization-directory.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import { namedIn } from '#domain/filter/catalog/inner-filters.ts';
import { quotaExceededBy } from '#domain/filter/filter-quota.ts';
import {
  type FilterChange,
  ownerOfFilter,
  parseFilterDescription,
  parseFilterName,
  reviseFilter,
  type SavedFilter,
  withoutSameConditions,
} from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, UserId } from '#domain/ids.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { utf8Length } from '#domain/text/code-points.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { type Confirmation, parseConfirmation, type SaveGuarded } from './change-guard.ts';
import { findLinkError } from './filter-links.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';
import { coverageOf } from './read-filter.ts';

/** Unchecked input. An undefined member leaves its value unchanged. */
export interface UpdateFilterInput {
  readonly name?: unknown;
  readonly description?: unknown;
  readonly conditions?: unknown;
  /** The confirmed impact, if guards ask for it. */
  readonly confirm?: unknown;
}

/**
 * PATCH /filters/:id (Contract: §5). Returns the changed filter. Errors: every fault of the input, `not_found`,
 * `forbidden` (a partner's filter), `precondition_failed`, `quota_exceeded`, `confirmation_needed`, `filter_timeout`.
 */
export type UpdateFilter = (
  call: Call,
  id: FilterId,
  input: UpdateFilterInput,
  precondition: Precondition,
  /** The restored version, for the audit log. */
  restored?: number,
) => Promise<Result<NamedFilter, ApplicationError>>;

export interface UpdateFilterDeps {
  readonly filters: SavedFilterReader;
  readonly checkConditions: CheckConditions;
  readonly organizationsOf: OrganizationsOfPartner;
  readonly saveGuarded: SaveGuarded;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly clock: Clock;
  readonly nameCreator: NameCreator;
}

export function makeUpdateFilter(deps: UpdateFilterDeps): UpdateFilter {
  return async (call, id, input, precondition, restored) => {
    const { scope, userId } = call.caller;
    const attempt = { action: 'filter.update', resourceId: id } as const;
    // Checks may take long, so they run before the transaction.
    const known = await deps.filters.find(scope, id);
    if (known === null) return deps.deny(call, attempt, FILTER_NOT_FOUND);
    const owner = ownerOfFilter(known);
    if (!mayChangeFor(scope, owner)) return deps.deny(call, attempt, NOT_THE_WHOLE_PARTNER);
    const change = await parseChange(deps, await coverageOf(deps, scope, known), owner, userId, input);
    if (!change.ok) return change;
    const { confirmation, ...meantChange } = change.value;
    const saved = await deps.saveGuarded<SavedFilter>(call, confirmation, async (tx, refuse) => {
      const isNewText = meantChange.conditionsJson !== undefined;
      const named = namedIn(meantChange.conditionsJson ?? '');
      if (isNewText) await tx.filters.holdLinks(owner);
      const usage = isNewText ? await tx.filters.holdUsage(owner) : null;
      const current = await tx.filters.findForUpdate(id);
      if (current === null) return deps.deny(call, attempt, FILTER_NOT_FOUND, tx);
      const refusal = checkPrecondition(precondition, current.version, 'filter');
      if (refusal !== null) return err(refusal);
      const meant = withoutSameConditions(current, meantChange);
      const { filter, changed } = reviseFilter(current, meant, userId, deps.clock());
      if (changed.length === 0) return ok(filter);
      const growth = utf8Length(filter.conditionsJson) - utf8Length(current.conditionsJson);
      const excess = usage && quotaExceededBy({ filters: 0, conditionBytes: growth }, usage, owner.kind);
      if (excess !== null) return err(quotaExceeded(excess));
      const fault = named.length === 0 ? null : await findLinkError(tx.filters, { ...filter, named });
      if (fault !== null) return err(fault);
      const stop = changed.includes('conditions') ? await refuse(current, filter) : null;
      if (stop !== null) return err(stop);
      await tx.filters.replace(filter);
      const { orgId, partnerId } = filter;
      const details = { fields: changed, ...(restored !== undefined && { restoredVersion: restored }) };
      const facts = { ...attempt, orgId, partnerId, details };
      await tx.audit(deps.makeEntry(call, facts));
      return ok(filter);
    });
    return deps.nameCreator.one(call, saved);
  };
}

interface CheckedChange extends FilterChange {
  readonly confirmation: Confirmation | null;
}

async function parseChange(
  deps: UpdateFilterDeps,
  scope: AccessScope,
  owner: Owner,
  onBehalfOf: UserId,
  input: UpdateFilterInput,
): Promise<Result<CheckedChange, ApplicationError>> {
  const name = input.name === undefined ? null : parseFilterName(input.name);
  const description = input.description === undefined ? null : parseFilterDescription(input.description);
  const conditions =
    input.conditions === undefined
      ? null
      : await deps.checkConditions(scope, input.conditions, onBehalfOf, { owner });
  const confirmation = parseConfirmation(input.confirm);
  const faults = [
    ...faultsIn({ name, description }),
    ...(conditions?.ok === false ? conditions.error : []),
    ...(confirmation.ok ? [] : confirmation.error),
  ];
  if (faults.length > 0) return err(toFilterError(faults));
  return ok({
    confirmation: confirmation.ok ? confirmation.value : null,
    ...(name?.ok && { name: name.value }),
    ...(description?.ok && { description: description.value }),
    ...(conditions?.ok && { conditionsJson: jsonText(input.conditions) }),
  });
}
