/** What webhooks send, and the secrets that they sign with (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

export interface WebhookReader {
  /** The last `KEPT_DELIVERIES`, newest first; none if the subscription is unknown or out of reach. */
  deliveries(scope: AccessScope, id: SubscriptionId): Promise<readonly WebhookDelivery[]>;
}

/**
 * Changes within a transaction, limited to its scope. A subscription out of reach is as if it did not exist. Lock the
 * subscription first (`SubscriptionWriter.find` or `hold`).
 */
export interface WebhookWriter {
  /** Of the service itself: the current secret, then the former one while it signs along; none without a readable one. */
  secrets(id: SubscriptionId, now: EpochMs): Promise<readonly string[]>;
  /** The former secret signs along until then. Throws if there is no subscription in reach. */
  setSecret(id: SubscriptionId, secret: string, formerUntil: EpochMs): Promise<void>;
  /** The delivery of changes that is next in order; null if none is waiting. */
  next(id: SubscriptionId): Promise<WebhookDelivery | null>;
  /** The first delivery that `request` named. */
  requested(id: SubscriptionId): Promise<WebhookDelivery | null>;
  find(id: SubscriptionId, deliveryId: DeliveryId): Promise<WebhookDelivery | null>;
  /** Forgets all but the last `KEPT_DELIVERIES`, and those that are pending. Ids ascend. */
  add(delivery: WebhookDelivery): Promise<void>;
  /** Stores how it stands. Throws if it is unknown. */
  replace(delivery: WebhookDelivery): Promise<void>;
  /** Sends it once more, also while the subscription is paused. `replace` ends the request. */
  request(id: SubscriptionId, deliveryId: DeliveryId): Promise<void>;
}
