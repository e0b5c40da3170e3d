/** Deliveries and secrets of webhooks (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

export interface WebhookReader {
  /** The last `KEPT_DELIVERIES`, newest first; none if the subscription is unknown or out of reach. */
  deliveries(scope: AccessScope, id: SubscriptionId): Promise<readonly WebhookDelivery[]>;
}

/**
 * Within a transaction, limited to its scope. A subscription out of reach is treated as missing. Lock the
 * subscription first (`SubscriptionWriter.find` or `hold`).
 */
export interface WebhookWriter {
  /**
   * For the service itself: the current secret, then the former one while it still signs; none without a readable
   * one.
   */
  secrets(id: SubscriptionId, now: EpochMs): Promise<readonly string[]>;
  /** The former secret still signs until then. Throws if the subscription is not in reach. */
  setSecret(id: SubscriptionId, secret: string, formerUntil: EpochMs): Promise<void>;
  /** The next delivery of changes in order; null if none waits. */
  next(id: SubscriptionId): Promise<WebhookDelivery | null>;
  /** The first requested delivery. */
  requested(id: SubscriptionId): Promise<WebhookDelivery | null>;
  find(id: SubscriptionId, deliveryId: DeliveryId): Promise<WebhookDelivery | null>;
  /** Forgets settled deliveries but the last `KEPT_DELIVERIES`. Ids ascend. */
  add(delivery: WebhookDelivery): Promise<void>;
  /** Throws if the delivery is unknown. */
  replace(delivery: WebhookDelivery): Promise<void>;
  /** Sends it again, even if the subscription is paused. `replace` ends the request. */
  request(id: SubscriptionId, deliveryId: DeliveryId): Promise<void>;
}
