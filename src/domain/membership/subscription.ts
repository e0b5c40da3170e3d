/** A subscription to the changes of a saved filter's members (Contract: §17). */
import type { FilterId, OrgId, SubscriptionId, UserId } from '#domain/ids.ts';
import { MAX_SUBSCRIPTIONS_PER_ORGANIZATION } from '#domain/limits.ts';
import type { EpochMs } from '#domain/time.ts';

/** How changes reach the subscriber. With a feed, the subscriber fetches them. */
export const SUBSCRIPTION_KINDS = ['feed'] as const;

export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** The states that people choose. */
export const CHOSEN_STATES = ['active', 'paused'] as const;

/** `ended`: its filter was deleted. It can be read, and does not change again. */
export const SUBSCRIPTION_STATES = [...CHOSEN_STATES, 'ended'] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

export interface Subscription {
  readonly id: SubscriptionId;
  /** The organization of its filter. */
  readonly orgId: OrgId;
  readonly filterId: FilterId;
  readonly name: string;
  readonly kind: SubscriptionKind;
  readonly state: SubscriptionState;
  readonly createdBy: UserId;
  readonly createdAt: EpochMs;
}

/** Members that stay the same may be absent. */
export type SubscriptionChange = Partial<Pick<Subscription, 'name' | 'state'>>;

export interface RevisedSubscription {
  readonly subscription: Subscription;
  /** The names of the members that differ. */
  readonly changed: readonly string[];
}

/** The subscription with the change, and what differs. */
export function reviseSubscription(current: Subscription, change: SubscriptionChange): RevisedSubscription {
  const subscription = { ...current, ...change };
  const changed = (['name', 'state'] as const).filter((member) => subscription[member] !== current[member]);
  return { subscription, changed };
}

/** The end of a sentence that says why another one is refused; null if it fits. Ended ones do not count. */
export function subscriptionQuotaExceededBy(held: number): string | null {
  if (held < MAX_SUBSCRIPTIONS_PER_ORGANIZATION) return null;
  const most = MAX_SUBSCRIPTIONS_PER_ORGANIZATION;
  return `an organization holds at most ${most} subscriptions; this one has ${held}, and this would add 1`;
}
