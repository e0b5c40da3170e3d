/** Deliveries and secrets of webhooks (Contract: §17). */
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

export interface WebhookReader {
  /** The last `KEPT_DELIVERIES`, newest first. Empty if the subscription is unknown or out of reach. */
  deliveries(scope: AccessScope, id: SubscriptionId): Promise<readonly WebhookDelivery[]>;
}

/**
 * Works within a transaction, limited to its scope. A subscription out of reach counts as missing. Lock the
 * subscription first (`SubscriptionWriter.find` or `hold`).
 */
export interface WebhookWriter {
  /**
   * The current secret, then the former one while it may still sign. Secrets that were discarded (`ResealSecrets`) are
   * missing. Only for the service itself.
   */
  secrets(id: SubscriptionId, now: EpochMs): Promise<readonly string[]>;
  /** The former secret may sign until `formerUntil`. Throws if the subscription is out of reach. */
  setSecret(id: SubscriptionId, secret: string, formerUntil: EpochMs): Promise<void>;
  /** The oldest pending delivery of changes. */
  next(id: SubscriptionId): Promise<WebhookDelivery | null>;
  /** The oldest delivery that `request` asked for. */
  requested(id: SubscriptionId): Promise<WebhookDelivery | null>;
  find(id: SubscriptionId, deliveryId: DeliveryId): Promise<WebhookDelivery | null>;
  /** Also removes settled deliveries except the last `KEPT_DELIVERIES`. Add deliveries in the order of their ids. */
  add(delivery: WebhookDelivery): Promise<void>;
  /** Throws if unknown. */
  replace(delivery: WebhookDelivery): Promise<void>;
  /** Asks a worker to send the delivery again, even if the subscription is paused. `replace` ends the request. */
  request(id: SubscriptionId, deliveryId: DeliveryId): Promise<void>;
}
