import type { StagedTables } from '#adapters/memory/tables/staged-tables.ts';
import type { World } from '#adapters/memory/tables/world.ts';
import type { WebhookReader, WebhookWriter } from '#application/ports/live/webhook-store.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import { KEPT_DELIVERIES, type WebhookDelivery } from '#domain/membership/webhook-delivery.ts';

export function makeWebhookReader({
  subscriptions,
  deliveries,
}: Pick<World, 'subscriptions' | 'deliveries'>): WebhookReader {
  return {
    async deliveries(scope, id) {
      const subscription = subscriptions.get(id);
      if (subscription === undefined || !isWithinReach(scope, subscription)) return [];
      return [...deliveries.values()]
        .map(({ delivery }) => delivery)
        .filter((each) => each.subscriptionId === id)
        .sort(compareNewestFirst)
        .slice(0, KEPT_DELIVERIES);
    },
  };
}

export function makeWebhookWriter(
  {
    subscriptions,
    webhookSecrets,
    deliveries,
  }: Pick<StagedTables, 'subscriptions' | 'webhookSecrets' | 'deliveries'>,
  scope: AccessScope,
): WebhookWriter {
  const isReached = (id: SubscriptionId) => {
    const subscription = subscriptions.get(id);
    return subscription !== null && isWithinReach(scope, subscription);
  };
  const assertReached = (id: SubscriptionId) => {
    if (!isReached(id)) throw new Error(`there is no subscription ${id}`);
  };
  /** The subscription's deliveries, oldest first. */
  const of = (id: SubscriptionId) =>
    isReached(id)
      ? [...deliveries.values()]
          .filter(({ delivery }) => delivery.subscriptionId === id)
          .sort((a, b) => compareNewestFirst(b.delivery, a.delivery))
      : [];
  const find = (id: SubscriptionId, deliveryId: DeliveryId) =>
    of(id).find(({ delivery }) => delivery.id === deliveryId);
  return {
    async secrets(id, now) {
      const kept = isReached(id) ? webhookSecrets.get(id) : null;
      if (kept === null) return [];
      const { secret, former } = kept;
      return [secret, ...(former !== null && now < former.until ? [former.secret] : [])];
    },
    async setSecret(id, secret, formerUntil) {
      assertReached(id);
      const current = webhookSecrets.get(id);
      const former = current === null ? null : { secret: current.secret, until: formerUntil };
      webhookSecrets.set(id, { secret, former });
    },
    async next(id) {
      const isNext = ({ told, status }: WebhookDelivery) => told !== null && status === 'pending';
      return of(id).find(({ delivery }) => isNext(delivery))?.delivery ?? null;
    },
    async requested(id) {
      return of(id).find(({ isRequested }) => isRequested)?.delivery ?? null;
    },
    async find(id, deliveryId) {
      return find(id, deliveryId)?.delivery ?? null;
    },
    async add(delivery) {
      assertReached(delivery.subscriptionId);
      deliveries.set(delivery.id, { delivery: Object.freeze({ ...delivery }), isRequested: false });
      for (const old of of(delivery.subscriptionId).slice(0, -KEPT_DELIVERIES)) {
        if (old.delivery.status !== 'pending' && !old.isRequested) deliveries.delete(old.delivery.id);
      }
    },
    async replace(delivery) {
      if (find(delivery.subscriptionId, delivery.id) === undefined)
        throw new Error(`there is no delivery ${delivery.id}`);
      deliveries.set(delivery.id, { delivery: Object.freeze({ ...delivery }), isRequested: false });
    },
    async request(id, deliveryId) {
      const found = find(id, deliveryId);
      if (found === undefined) throw new Error(`there is no delivery ${deliveryId}`);
      deliveries.set(deliveryId, { ...found, isRequested: true });
    },
  };
}

function compareNewestFirst(a: WebhookDelivery, b: WebhookDelivery): number {
  return a.id < b.id ? 1 : -1;
}
