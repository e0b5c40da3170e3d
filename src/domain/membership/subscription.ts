/** A subscription to the changes of a saved filter's members (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId, PartnerId, SubscriptionId, UserId } from '#domain/ids.ts';
import { MAX_SUBSCRIPTIONS_PER_OWNER } from '#domain/limits.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** How changes reach the subscriber. With a feed, the subscriber fetches them. */
export const SUBSCRIPTION_KINDS = ['feed', 'webhook', 'mail'] as const;

export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** The states that people choose. */
export const CHOSEN_STATES = ['active', 'paused'] as const;

/** `ended`: its filter was deleted, or its receiver is gone. It can be read, and does not change again. */
export const SUBSCRIPTION_STATES = [...CHOSEN_STATES, 'ended'] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** When a mail is due: for each change, or when the number of members crosses a line. */
export type Notify = 'changes' | { readonly above: number } | { readonly below: number };

/** The most that may enter and leave with one change of the filter; at least one limit (Contract: §18). */
export interface SubscriptionGuard {
  readonly devices?: number;
  /** Of the devices before. */
  readonly percent?: number;
}

/** Whether more devices would enter and leave, together, than the guard lets pass. */
export function exceedsGuard(
  { devices = Infinity, percent = Infinity }: SubscriptionGuard,
  { before, moving }: { readonly before: number; readonly moving: number },
): boolean {
  return moving > devices || (percent !== Infinity && moving * 100 > before * percent);
}

/** Null where the kind does not have the member; a guard fits each kind. */
export interface SubscriptionSettings {
  readonly url: string | null;
  readonly recipients: readonly UserId[] | null;
  readonly notify: Notify | null;
  readonly batchSeconds: number | null;
  readonly guard: SubscriptionGuard | null;
}

/** Settings that only some kinds have. */
export const SETTINGS_OF_KIND: Readonly<
  Record<SubscriptionKind, readonly (keyof Omit<SubscriptionSettings, 'guard'>)[]>
> = { feed: [], webhook: ['url'], mail: ['recipients', 'notify', 'batchSeconds'] };

export interface Subscription extends SubscriptionSettings {
  readonly id: SubscriptionId;
  /** Of its filter; null if that is partner-wide. */
  readonly orgId: OrgId | null;
  /** Of its filter; null if that belongs to an organization. */
  readonly partnerId: PartnerId | null;
  readonly filterId: FilterId;
  readonly name: string;
  readonly kind: SubscriptionKind;
  readonly state: SubscriptionState;
  readonly createdBy: UserId;
  readonly createdAt: EpochMs;
}

/** Whose filter it is. */
export function ownerOfSubscription({
  filterId,
  orgId,
  partnerId,
}: Pick<Subscription, 'filterId' | 'orgId' | 'partnerId'>): Owner {
  return ownerOfFilter({ id: filterId, orgId, partnerId });
}

/** The reach of its filter's organization or partner; who made it does not matter (Contract: §17). */
export function scopeOfSubscription(subscription: Subscription): AccessScope {
  const owner = ownerOfSubscription(subscription);
  return owner.kind === 'organization' ? owner : { ...owner, orgIds: [], isWhole: true };
}

/** Members that stay the same may be absent. */
export type SubscriptionChange = Partial<Pick<Subscription, 'name' | 'state' | keyof SubscriptionSettings>>;

export interface RevisedSubscription {
  readonly subscription: Subscription;
  /** The names of the members that differ. */
  readonly changed: readonly string[];
}

const CHANGEABLE = ['name', 'url', 'recipients', 'notify', 'batchSeconds', 'guard', 'state'] as const;

/** The subscription with the change, and what differs. */
export function reviseSubscription(current: Subscription, change: SubscriptionChange): RevisedSubscription {
  const subscription = { ...current, ...change };
  const changed = CHANGEABLE.filter(
    (member) => JSON.stringify(subscription[member]) !== JSON.stringify(current[member]),
  );
  return { subscription, changed };
}

/**
 * How far a webhook or mail has come. The log of changes is its outbox: all after `position` are still to be told, and
 * nothing else is stored for them.
 */
export interface SubscriptionProgress {
  /** The number of the last change that was told, or after which it began. */
  readonly position: number;
  /** Nothing is told before; null: at once. */
  readonly dueAt: EpochMs | null;
  /** Failures in a row. */
  readonly attempts: number;
  /** The first of them. */
  readonly failingSince: EpochMs | null;
}

/** Something that is due later than this was put off while the clock was ahead, and is due. */
export const LONGEST_WAIT_MS = 7 * DAY_MS;

/** The end of a sentence that says why another one is refused; null if it fits. Ended ones do not count. */
export function subscriptionQuotaExceededBy(held: number, { kind }: Owner): string | null {
  if (held < MAX_SUBSCRIPTIONS_PER_OWNER) return null;
  const most = MAX_SUBSCRIPTIONS_PER_OWNER;
  const owner = kind === 'organization' ? 'an organization' : 'a partner';
  return `${owner} holds at most ${most} subscriptions; this one has ${held}, and this would add 1`;
}
