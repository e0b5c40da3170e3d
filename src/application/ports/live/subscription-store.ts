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

/** One is in reach if its filter is (`ownersInReach`): parts of a partner see what follows its partner-wide filters. */
export interface SubscriptionReader {
  /** Null if unknown or out of reach. */
  find(scope: AccessScope, id: SubscriptionId): Promise<Subscription | null>;
  /** In reach, of one filter or of all, newest first, ties by id, descending. */
  list(scope: AccessScope, filterId: FilterId | null): Promise<readonly Subscription[]>;
}

/** One worker delivers its changes. */
export interface ClaimedSubscription {
  readonly subscription: Subscription;
  readonly progress: SubscriptionProgress;
  /** Unique per claim. */
  readonly claim: string;
}

/** For the service itself, across tenants. */
export interface SubscriptionQueue {
  /**
   * Claims active subscriptions of the kind that are due and whose filter has changes after their position, the
   * longest due first. A webhook is also claimed, until it ends, if a delivery was requested
   * (`WebhookWriter.request`). A subscription due later than `LONGEST_WAIT_MS` after `now` counts as due. No other
   * worker gets the claimed ones for `leaseMs`; after that their worker counts as dead. Those in `inHand` are not
   * claimed: a clock that jumps must not end their claims. Partners under maintenance wait.
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
 * Changes within a transaction, limited to its scope. A subscription is in reach if its owner is (`isWithinReach`). A
 * filter is watched (`Memberships.watch`) from the commit of its first active subscription to the commit that takes the
 * last. Lock the filter before its subscriptions
 * (`SavedFilterWriter.findForUpdate`), unless it is deleted.
 */
export interface SubscriptionWriter {
  /** The owner's subscriptions that have not ended. Locked until the transaction ends against other holders. */
  holdCount(owner: Owner): Promise<number>;
  /** As of now; null if unknown or out of reach. */
  find(id: SubscriptionId): Promise<Subscription | null>;
  /** Without ended ones, oldest first. */
  ofFilter(filterId: FilterId): Promise<readonly Subscription[]>;
  /** Its position is the last change of the filter so far. Throws if the owner is unknown or out of reach. */
  add(subscription: Subscription): Promise<void>;
  /** A change of `batchSeconds` ends the current wait. Throws if the subscription is not in reach. */
  replace(subscription: Subscription): Promise<void>;
  /** The current state, locked; null if the claim is lost or the subscription is gone. */
  hold(claimed: ClaimedSubscription): Promise<ClaimedSubscription | null>;
  /** Null if unknown or out of reach. */
  progressOf(id: SubscriptionId): Promise<SubscriptionProgress | null>;
  /** Claims stay. Throws if the subscription is not in reach. */
  setProgress(id: SubscriptionId, progress: SubscriptionProgress): Promise<void>;
  /** Ends its claim. */
  release(id: SubscriptionId): Promise<void>;
  /**
   * Ends a claim. False, without any change, if another worker has taken it over, or the subscription is gone or no
   * longer active. Otherwise the subscription stays locked until the transaction ends.
   */
  settle(claimed: ClaimedSubscription, progress: SubscriptionProgress): Promise<boolean>;
  /** Throws if the subscription is not in reach. */
  remove(id: SubscriptionId): Promise<void>;
}
