/** Subscriptions to saved filters (Contract: §17). One is in reach if its organization is (`canReach`). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { FilterId, OrgId, SubscriptionId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';

export interface SubscriptionReader {
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: SubscriptionId): Promise<Subscription | null>;
  /** Those in reach, of one filter or of all, newest first, ties by id, descending. */
  list(scope: AccessScope, filterId: FilterId | null): Promise<readonly Subscription[]>;
}

/**
 * Changes within a transaction, limited to its scope. A filter is watched (`Memberships.watch`) from the commit that gives
 * it an active subscription to the commit that takes the last one. Lock the filter before its subscriptions are changed
 * (`SavedFilterWriter.findForUpdate`), unless it is deleted.
 */
export interface SubscriptionWriter {
  /** How many the organization has that have not ended. Locked until the transaction ends against other holders. */
  holdCount(orgId: OrgId): Promise<number>;
  /** As of now; null if unknown or out of reach. */
  find(id: SubscriptionId): Promise<Subscription | null>;
  /** Those that have not ended, oldest first. */
  ofFilter(filterId: FilterId): Promise<readonly Subscription[]>;
  /** Throws if the organization is unknown or out of reach. */
  add(subscription: Subscription): Promise<void>;
  /** Throws if there is none in reach. */
  replace(subscription: Subscription): Promise<void>;
  /** Throws if there is none in reach. */
  remove(id: SubscriptionId): Promise<void>;
}
