/** Subscriptions to saved filters (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, SubscriptionId } from '#domain/ids.ts';
import type {
  Subscription,
  SubscriptionKind,
  SubscriptionProgress,
} from '#domain/membership/subscription.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * A subscription is in reach if its filter is (`ownersInReach`): a caller who reaches only part of a partner still sees
 * subscriptions to its partner-wide filters.
 */
export interface SubscriptionReader {
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: SubscriptionId): Promise<Subscription | null>;
  /** Subscriptions in reach, to one filter or to all, newest first, ties by descending id. */
  list(scope: AccessScope, filterId: FilterId | null): Promise<readonly Subscription[]>;
}

/** A subscription that one worker has claimed, to deliver its changes. */
export interface ClaimedSubscription {
  readonly subscription: Subscription;
  readonly progress: SubscriptionProgress;
  /** Unique per claim. */
  readonly claim: string;
}

/** For the service itself, across tenants. */
export interface SubscriptionQueue {
  /**
   * Claims subscriptions of this kind that have something to deliver, longest due first.
   * - An active subscription is claimed if it is due and its filter has changes after its position.
   * - A webhook that has not ended is claimed if a delivery was requested (`WebhookWriter.request`).
   * - A subscription due more than `LONGEST_WAIT_MS` after `now` counts as due, because the clock was set
   *   back.
   * - No other worker gets a claimed subscription for `leaseMs`. After that, its worker counts as dead.
   * - Subscriptions in `inHand`, still being delivered, are not claimed, nor are those of partners in
   *   maintenance.
   */
  claim(
    kind: SubscriptionKind,
    now: EpochMs,
    leaseMs: number,
    limit: number,
    inHand?: Iterable<SubscriptionId>,
  ): Promise<readonly ClaimedSubscription[]>;
}

/**
 * Works within a transaction, limited to its scope. A subscription is in reach if its owner is (`isWithinReach`). A
 * filter is watched (`Memberships.watch`) from the commit of its first active subscription until the commit that
 * removes the last. Lock the filter (`SavedFilterWriter.findForUpdate`) before its subscriptions, unless it is deleted.
 */
export interface SubscriptionWriter {
  /**
   * Counts the owner's subscriptions that have not ended. Other calls for this owner wait until the transaction ends.
   */
  holdCount(owner: Owner): Promise<number>;
  /** The current state; null if unknown or out of reach. */
  find(id: SubscriptionId): Promise<Subscription | null>;
  /** Oldest first, without those that have ended. */
  ofFilter(filterId: FilterId): Promise<readonly Subscription[]>;
  /** The subscription begins after the filter's last change so far. Throws if the owner is unknown or out of reach. */
  add(subscription: Subscription): Promise<void>;
  /** A new `batchSeconds` ends the current wait. Throws if out of reach. */
  replace(subscription: Subscription): Promise<void>;
  /** The current state, locked until the transaction ends. Null if the claim is lost or the subscription is gone. */
  hold(claimed: ClaimedSubscription): Promise<ClaimedSubscription | null>;
  /** Null if unknown or out of reach. */
  progressOf(id: SubscriptionId): Promise<SubscriptionProgress | null>;
  /** Does not end claims. Throws if out of reach. */
  setProgress(id: SubscriptionId, progress: SubscriptionProgress): Promise<void>;
  /** Ends the subscription's claim, whichever worker has it. */
  release(id: SubscriptionId): Promise<void>;
  /**
   * Stores the progress, ends the claim and locks the subscription until the transaction ends. False, without any
   * change, if another worker has taken the subscription over, or it is gone or no longer active.
   */
  settle(claimed: ClaimedSubscription, progress: SubscriptionProgress): Promise<boolean>;
  /** Throws if out of reach. */
  remove(id: SubscriptionId): Promise<void>;
}
