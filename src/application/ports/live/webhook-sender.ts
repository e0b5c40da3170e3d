import type { DeliveryAttempt, WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';

export interface WebhookMessage extends Pick<WebhookDelivery, 'id' | 'body'> {
  readonly url: string;
  /** The message gets one signature for each secret. */
  readonly secrets: readonly string[];
  readonly at: EpochMs;
}

/** Sends once, according to Standard Webhooks, and waits at most 10 seconds. Null if aborted. Never rejects. */
export type WebhookSender = (
  message: WebhookMessage,
  aborting: AbortSignal,
) => Promise<DeliveryAttempt | null>;
