/** What relies on a filter, and what it may rely on (Contract: §18). */
import { type ApplicationError, type FilterUse, toValidationError } from '#application/application-error.ts';
import type { SavedFilterReader, SavedFilterWriter } from '#application/ports/filters/saved-filter-store.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { type FilterLink, findLinkFault } from '#domain/filter/filter-links.ts';
import type { FilterId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';

/**
 * What relies on the filter, directly or through others: filters in reach, and subscriptions in reach that have not
 * ended.
 */
export async function usesOfFilter(
  deps: {
    readonly filters: Pick<SavedFilterReader, 'relyingOn'>;
    readonly subscriptions: Pick<SubscriptionReader, 'list'>;
  },
  scope: AccessScope,
  id: FilterId,
): Promise<readonly FilterUse[]> {
  const filters = await deps.filters.relyingOn(scope, id);
  const ids = new Set([id, ...filters.map((filter) => filter.id)]);
  const subscriptions = await deps.subscriptions.list(scope, filters.length === 0 ? id : null);
  return toUses(
    subscriptions.filter(({ filterId, state }) => ids.has(filterId) && state !== 'ended'),
    filters,
  );
}

/** Lists subscriptions first, then filters in order of name. */
export function toUses(
  subscriptions: readonly Subscription[],
  filters: readonly FilterLink[],
): readonly FilterUse[] {
  const byName = [...filters].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1,
  );
  return [
    ...subscriptions.map(({ id, name }): FilterUse => ({ kind: 'subscription', id, name })),
    ...byName.map(({ id, name }): FilterUse => ({ kind: 'filter', id, name })),
  ];
}

/** Null if the filter may name its inner filters. Needs `holdLinks` first. */
export async function findLinkError(
  filters: Pick<SavedFilterWriter, 'linksFrom' | 'relyingOn'>,
  filter: Pick<FilterLink, 'id' | 'name' | 'named'>,
): Promise<ApplicationError | null> {
  const inner = await filters.linksFrom(filter.named);
  const known = new Set(inner.map(({ id }) => id));
  const missing = filter.named.find((id) => !known.has(id) && id !== filter.id);
  if (missing !== undefined) {
    // The filter was deleted after the conditions were checked.
    const message = `the filter ${missing} has been deleted`;
    return toValidationError([{ path: 'conditions', code: 'invalid_value', message }]);
  }
  const fault = findLinkFault(filter, inner, await filters.relyingOn(filter.id));
  if (fault === null) return null;
  const { code, message } = fault;
  return { ...toValidationError([{ path: 'conditions', code, message }]), code };
}
