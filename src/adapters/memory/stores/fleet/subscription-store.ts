import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type {
  SubscriptionQueue,
  SubscriptionReader,
  SubscriptionWriter,
} from '#application/ports/live/subscription-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { isSameOwner, isWithinReach, ownersInReach } from '#domain/access/ownership.ts';
import type { FilterId, PartnerId, SubscriptionId } from '#domain/ids.ts';
import {
  LONGEST_WAIT_MS,
  ownerOfSubscription,
  type Subscription,
  type SubscriptionProgress,
} from '#domain/membership/subscription.ts';
import { compareCodePoints } from '#domain/text/code-points.ts';
import type { EpochMs } from '#domain/time.ts';

export function makeSubscriptionReader({
  subscriptions,
  organizations,
}: Pick<World, 'subscriptions' | 'organizations'>): SubscriptionReader {
  const reaches = (scope: AccessScope) => {
    const isInReach = ownersInReach(scope, (orgId) => organizations.get(orgId)?.partnerId);
    return (subscription: Subscription) => isInReach(ownerOfSubscription(subscription));
  };
  return {
    async find(scope, id) {
      const subscription = subscriptions.get(id);
      return subscription !== undefined && reaches(scope)(subscription) ? subscription : null;
    },
    async list(scope, filterId) {
      const isInReach = reaches(scope);
      return [...subscriptions.values()]
        .filter((each) => isInReach(each) && (filterId === null || each.filterId === filterId))
        .sort((a, b) => compareOldestFirst(b, a));
    },
  };
}

export function makeSubscriptionWriter(
  world: Pick<World, 'filters' | 'organizations' | 'partners' | 'subscriptions' | 'live'>,
  {
    subscriptions,
    progress,
    webhookSecrets,
    deliveries,
  }: Pick<StagedTables, 'subscriptions' | 'progress' | 'webhookSecrets' | 'deliveries'>,
  scope: AccessScope,
  afterCommit: (() => void)[],
): SubscriptionWriter {
  const find = (id: SubscriptionId) => {
    const subscription = subscriptions.get(id);
    return subscription !== null && isWithinReach(scope, subscription) ? subscription : null;
  };
  const mustFind = (id: SubscriptionId) => {
    const subscription = find(id);
    if (subscription === null) throw new Error(`there is no subscription ${id}`);
    return subscription;
  };
  const change = (filterId: FilterId, id: SubscriptionId, subscription: Subscription | null) => {
    if (subscription === null) subscriptions.delete(id);
    else subscriptions.set(id, Object.freeze({ ...subscription }));
    afterCommit.push(() => watchOrNot(world, filterId));
  };
  return {
    async holdCount(owner) {
      return subscriptions
        .values()
        .filter(
          (each) =>
            isSameOwner(ownerOfSubscription(each), owner) &&
            isWithinReach(scope, each) &&
            each.state !== 'ended',
        )
        .toArray().length;
    },
    async find(id) {
      return find(id);
    },
    async ofFilter(filterId) {
      return subscriptions
        .values()
        .filter((each) => each.filterId === filterId && isWithinReach(scope, each) && each.state !== 'ended')
        .toArray()
        .sort(compareOldestFirst);
    },
    async add(subscription) {
      const { id, orgId, partnerId, filterId } = subscription;
      const isKnown =
        orgId === null ? world.partners.has(partnerId as PartnerId) : world.organizations.has(orgId);
      if (!isWithinReach(scope, subscription) || !isKnown) throw new Error('out of reach');
      if (subscriptions.get(id) !== null) throw new Error(`subscription ${id} already exists`);
      change(filterId, id, subscription);
      const position = world.live.feeds.get(filterId)?.seq ?? 0;
      const begun = { position, dueAt: null, attempts: 0, failingSince: null };
      progress.set(id, { ...begun, claim: null, claimedUntil: null });
    },
    async replace(subscription) {
      const { id, batchSeconds } = subscription;
      const told = mustFind(id).batchSeconds === batchSeconds ? undefined : progress.get(id);
      if (told != null) progress.set(id, { ...told, dueAt: null });
      change(subscription.filterId, subscription.id, subscription);
    },
    async hold({ subscription: { id }, claim }) {
      const subscription = find(id);
      const kept = progress.get(id);
      if (subscription === null || kept?.claim !== claim) return null;
      return { subscription, progress: toProgress(kept), claim };
    },
    async progressOf(id) {
      const kept = find(id) === null ? null : progress.get(id);
      return kept === null ? null : toProgress(kept);
    },
    async setProgress(id, next) {
      mustFind(id);
      const kept = progress.get(id);
      if (kept !== null) progress.set(id, { ...kept, ...next });
    },
    async release(id) {
      const kept = progress.get(id);
      if (kept !== null) progress.set(id, { ...kept, claim: null, claimedUntil: null });
    },
    async settle({ subscription: { id }, claim }, settled) {
      if (find(id)?.state !== 'active' || progress.get(id)?.claim !== claim) return false;
      progress.set(id, { ...settled, claim: null, claimedUntil: null });
      return true;
    },
    async remove(id) {
      change(mustFind(id).filterId, id, null);
      progress.delete(id);
      webhookSecrets.delete(id);
      for (const [deliveryId, { delivery }] of deliveries.entries()) {
        if (delivery.subscriptionId === id) deliveries.delete(deliveryId);
      }
    },
  };
}

function toProgress({ position, dueAt, attempts, failingSince }: SubscriptionProgress): SubscriptionProgress {
  return { position, dueAt, attempts, failingSince };
}

function watchOrNot(
  { filters, subscriptions, live }: Pick<World, 'filters' | 'subscriptions' | 'live'>,
  filterId: FilterId,
): void {
  const filter = filters.get(filterId);
  const isActive = subscriptions
    .values()
    .some((each) => each.filterId === filterId && each.state === 'active');
  if (filter !== undefined && isActive) live.watchFilter(filter);
  else live.unwatchFilter(filterId);
}

function compareOldestFirst(a: Subscription, b: Subscription): number {
  return a.createdAt - b.createdAt || compareCodePoints(a.id, b.id);
}

/** `newClaim` must return a different text each time. */
export function makeSubscriptionQueue(
  {
    subscriptions,
    progress,
    deliveries,
    live,
    lock,
  }: Pick<World, 'subscriptions' | 'progress' | 'deliveries' | 'live' | 'lock'>,
  newClaim: () => string,
): SubscriptionQueue {
  return {
    claim: (kind, now, leaseMs, limit, inHand = []) =>
      lock(() => {
        const kept = new Set(inHand);
        const isPast = (at: EpochMs | null) => at === null || at <= now || at > now + LONGEST_WAIT_MS;
        const requested = new Set(
          [...deliveries.values()].flatMap((each) => (each.isRequested ? each.delivery.subscriptionId : [])),
        );
        const due = [...progress]
          .flatMap(([id, each]) => {
            const subscription = subscriptions.get(id);
            return subscription?.kind === kind && !kept.has(id) ? [{ subscription, each }] : [];
          })
          .filter(({ subscription: { id, state, filterId }, each: { position, dueAt, claimedUntil } }) => {
            const hasChanges = (live.feeds.get(filterId)?.seq ?? 0) > position;
            const isDue = state === 'active' && hasChanges && isPast(dueAt);
            return (isDue || (state !== 'ended' && requested.has(id))) && isPast(claimedUntil);
          })
          .sort(
            (a, b) =>
              (a.each.dueAt ?? 0) - (b.each.dueAt ?? 0) || compareOldestFirst(a.subscription, b.subscription),
          );
        return due.slice(0, limit).map(({ subscription, each }) => {
          const claim = newClaim();
          progress.set(subscription.id, { ...each, claim, claimedUntil: now + leaseMs });
          return { subscription, progress: toProgress(each), claim };
        });
      }),
  };
}
