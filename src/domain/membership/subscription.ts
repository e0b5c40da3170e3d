/** A subscription to the changes of a saved filter's members (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import { ownerOfFilter } from '#domain/filter/saved-filter.ts';
import type { Owner } from '#domain/fleet/fleet-record.ts';
import type { FilterId, OrgId, PartnerId, SubscriptionId, UserId } from '#domain/ids.ts';
import { MAX_SUBSCRIPTIONS_PER_OWNER } from '#domain/limits.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';

/** Subscribers fetch changes from a feed; webhooks and mails are sent to them. */
export const SUBSCRIPTION_KINDS = ['feed', 'webhook', 'mail'] as const;

export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number];

/** The states that people can set. */
export const CHOSEN_STATES = ['active', 'paused'] as const;

/** `ended`: the filter was deleted, or the receiver is gone. The subscription can be read but never changes again. */
export const SUBSCRIPTION_STATES = [...CHOSEN_STATES, 'ended'] as const;

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** When a mail is due: at each change, or when the number of devices crosses a line. */
export type Notify = 'changes' | { readonly above: number } | { readonly below: number };

/** How many devices may enter and leave when the filter changes (Contract: §18). At least one limit is set. */
export interface SubscriptionGuard {
  readonly devices?: number;
  /** In percent of the devices before the change. */
  readonly percent?: number;
}

/** Whether more devices would enter and leave, together, than the guard allows. */
export function exceedsGuard(
  { devices = Infinity, percent = Infinity }: SubscriptionGuard,
  { before, moving }: { readonly before: number; readonly moving: number },
): boolean {
  return moving > devices || (percent !== Infinity && moving * 100 > before * percent);
}

/** A member is null if the subscription's kind does not use it. Any kind may have a guard. */
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
  /** Null if the filter is partner-wide. */
  readonly orgId: OrgId | null;
  /** Null if the filter is an organization's. */
  readonly partnerId: PartnerId | null;
  readonly filterId: FilterId;
  readonly name: string;
  readonly kind: SubscriptionKind;
  readonly state: SubscriptionState;
  readonly createdBy: UserId;
  readonly createdAt: EpochMs;
}

/** The owner of the filter. */
export function ownerOfSubscription({
  filterId,
  orgId,
  partnerId,
}: Pick<Subscription, 'filterId' | 'orgId' | 'partnerId'>): Owner {
  return ownerOfFilter({ id: filterId, orgId, partnerId });
}

/** The scope of the filter's owner, not of the subscription's creator (Contract: §17). */
export function scopeOfSubscription(subscription: Subscription): AccessScope {
  const owner = ownerOfSubscription(subscription);
  return owner.kind === 'organization' ? owner : { ...owner, orgIds: [], isWhole: true };
}

/** Absent members stay unchanged. */
export type SubscriptionChange = Partial<Pick<Subscription, 'name' | 'state' | keyof SubscriptionSettings>>;

export interface RevisedSubscription {
  readonly subscription: Subscription;
  readonly changed: readonly string[];
}

const CHANGEABLE = ['name', 'url', 'recipients', 'notify', 'batchSeconds', 'guard', 'state'] as const;

/** `changed` names the members that differ. */
export function reviseSubscription(current: Subscription, change: SubscriptionChange): RevisedSubscription {
  const subscription = { ...current, ...change };
  const changed = CHANGEABLE.filter(
    (member) => JSON.stringify(subscription[member]) !== JSON.stringify(current[member]),
  );
  return { subscription, changed };
}

/**
 * The progress of a webhook or mail. The log of changes serves as the outbox: all changes after `position`
 * are undelivered, and nothing else is stored about them.
 */
export interface SubscriptionProgress {
  /** The number of the last delivered change; before any delivery, of the last change before the subscription. */
  readonly position: number;
  /** Nothing is delivered before this instant; null: at once. */
  readonly dueAt: EpochMs | null;
  /** Failed attempts in a row. */
  readonly attempts: number;
  /** When the first of these attempts failed. */
  readonly failingSince: EpochMs | null;
}

/** A `dueAt` that is further ahead than this was set while the clock was ahead, and counts as due. */
export const LONGEST_WAIT_MS = 7 * DAY_MS;

/** Null if one more subscription fits, else the end of a sentence that says why not. Ended ones do not count. */
export function subscriptionQuotaExceededBy(held: number, { kind }: Owner): string | null {
  if (held < MAX_SUBSCRIPTIONS_PER_OWNER) return null;
  const most = MAX_SUBSCRIPTIONS_PER_OWNER;
  const owner = kind === 'organization' ? 'an organization' : 'a partner';
  return `${owner} holds at most ${most} subscriptions; this one has ${held}, and this would add 1`;
}
