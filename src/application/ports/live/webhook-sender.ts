import type { DeliveryAttempt, WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

export interface WebhookMessage extends Pick<WebhookDelivery, 'id' | 'body'> {
  readonly url: string;
  /** The message is signed with each secret. */
  readonly secrets: readonly string[];
  /** The instant of this attempt. */
  readonly at: EpochMs;
}

/** Sends once, by Standard Webhooks, and waits 10 seconds at most. Null: aborted. Never rejects. */
export type WebhookSender = (
  message: WebhookMessage,
  aborting: AbortSignal,
) => Promise<DeliveryAttempt | null>;
