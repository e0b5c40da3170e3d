import { NOT_THE_WHOLE_PARTNER } from '#application/access/refusals.ts';
import {
  type ApplicationError,
  FILTER_NOT_FOUND,
  toValidationError,
} from '#application/application-error.ts';
import type { Deny, MakeEntry } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import { checkPrecondition, type Precondition } from '#application/precondition.ts';
import { mayChangeFor } from '#domain/access/ownership.ts';
import type { FilterLink } from '#domain/filter/filter-links.ts';
import { ownerOfFilter, type SavedFilter } from '#domain/filter/saved-filter.ts';
import type { FilterId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { parseConfirmation, type SaveGuarded } from './change-guard.ts';
import { toUses } from './filter-links.ts';
import type { NameCreator, NamedFilter } from './name-creator.ts';

/**
 * DELETE /filters/:id (Contract: §5). Returns the filter's last state. Errors: `not_found`, `forbidden` (a partner's
 * filter), `precondition_failed`, `filter_in_use`, `confirmation_needed`, `filter_timeout`.
 */
export type DeleteFilter = (
  call: Call,
  id: FilterId,
  precondition: Precondition,
  options?: DeletionOptions,
) => Promise<Result<NamedFilter, ApplicationError>>;

export interface DeletionOptions {
  /** Also ends the filter's subscriptions, which otherwise prevent the deletion (Contract: §17). */
  readonly isForced?: boolean;
  /** Unchecked: the confirmed impact, if guards ask for it. */
  readonly confirm?: unknown;
}

export interface DeleteFilterDeps {
  readonly filters: SavedFilterReader;
  readonly saveGuarded: SaveGuarded;
  readonly makeEntry: MakeEntry;
  readonly deny: Deny;
  readonly nameCreator: NameCreator;
}

export function makeDeleteFilter(deps: DeleteFilterDeps): DeleteFilter {
  return async (call, id, precondition, { isForced = false, confirm } = {}) => {
    const { scope } = call.caller;
    const attempt = { action: 'filter.delete', resourceId: id } as const;
    const known = await deps.filters.find(scope, id);
    if (known !== null && !mayChangeFor(scope, ownerOfFilter(known))) {
      return deps.deny(call, attempt, NOT_THE_WHOLE_PARTNER);
    }
    const confirmation = parseConfirmation(confirm);
    if (!confirmation.ok) return err(toValidationError(confirmation.error));
    const deleted = await deps.saveGuarded<SavedFilter>(call, confirmation.value, async (tx, refuse) => {
      if (known !== null) await tx.filters.holdLinks(ownerOfFilter(known));
      const filter = await tx.filters.findForUpdate(id);
      if (filter === null) {
        return deps.deny(call, attempt, FILTER_NOT_FOUND, tx);
      }
      const refusal = checkPrecondition(precondition, filter.version, 'filter');
      if (refusal !== null) return err(refusal);
      const subscriptions = await tx.subscriptions.ofFilter(id);
      const relying = await tx.filters.relyingOn(id);
      if (relying.length > 0 || (subscriptions.length > 0 && !isForced)) {
        const through = await Promise.all(relying.map((each) => tx.subscriptions.ofFilter(each.id)));
        return err(inUse([...subscriptions, ...through.flat()], relying));
      }
      const stop = await refuse(filter, null);
      if (stop !== null) return err(stop);
      for (const each of subscriptions) await tx.subscriptions.replace({ ...each, state: 'ended' });
      await tx.filters.remove(id);
      await tx.audit(
        deps.makeEntry(call, {
          ...attempt,
          orgId: filter.orgId,
          partnerId: filter.partnerId,
          details: {
            name: filter.name,
            ...(subscriptions.length > 0 && { endedSubscriptions: subscriptions.length }),
          },
        }),
      );
      return ok(filter);
    });
    return deps.nameCreator.one(call, deleted);
  };
}

/** `force` ends subscriptions, but does not delete filters that rely on this one. */
function inUse(subscriptions: readonly Subscription[], filters: readonly FilterLink[]): ApplicationError {
  const [many, them] =
    subscriptions.length === 1 ? ['1 subscription', 'it'] : [`${subscriptions.length} subscriptions`, 'them'];
  const detail =
    filters.length === 0
      ? `${many} to the filter would end; delete ${them} first, or send force=true to end ${them}.`
      : `Other filters rely on the filter: ${describe(filters)}. Change them first; until then it cannot be deleted.`;
  return { code: 'filter_in_use', detail, usedBy: toUses(subscriptions, filters) };
}

function describe(filters: readonly FilterLink[]): string {
  const shown = filters.slice(0, 5).map(({ name }) => `"${name}"`);
  return filters.length > 5 ? `${shown.join(', ')} and ${filters.length - 5} more` : shown.join(', ');
}
