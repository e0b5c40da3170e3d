/** Messages to webhook receivers, and their retries (Contract: §17). */
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { SubscriptionProgress } from './subscription.ts';

/** `pending`: an attempt is still to come. The other statuses say how the last attempt ended. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface ToldChanges {
  /** Cursors before and after the changes in the message. */
  readonly from: string;
  readonly to: string;
  /** The number of the last change. */
  readonly position: number;
}

/** A message to a receiver. All attempts send the same body. */
export interface WebhookDelivery {
  readonly id: DeliveryId;
  readonly subscriptionId: SubscriptionId;
  /** Null for a test. */
  readonly told: ToldChanges | null;
  readonly body: string;
  readonly status: DeliveryStatus;
  /** The beginning of the last attempt; before the first, when the message was made. */
  readonly at: EpochMs;
  /** Null if the receiver did not answer. */
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
  /** What went wrong in the last attempt. */
  readonly error: string | null;
}

/** How many deliveries are kept for each subscription. */
export const KEPT_DELIVERIES = 100;

/** The attempt succeeded if `error` is null. */
export type DeliveryAttempt = Pick<WebhookDelivery, 'at' | 'httpStatus' | 'error'> & {
  readonly durationMs: number;
};

export interface SettledDelivery {
  readonly delivery: WebhookDelivery;
  readonly progress: SubscriptionProgress;
  /** The next state of the subscription, if it is active. */
  readonly state: 'active' | 'paused' | 'ended';
}

const RETRY_AFTER_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

const LAST_RETRY_AFTER_MS = 3 * HOUR_MS;

/** From the first failure to the last attempt. */
export const GIVE_UP_AFTER_MS = 3 * DAY_MS;

const GONE = 410;

/** Only the next delivery in order changes the progress. Tests and repetitions do not. */
export function settleDelivery(
  progress: SubscriptionProgress,
  delivery: WebhookDelivery,
  attempt: DeliveryAttempt,
): SettledDelivery {
  const { told } = delivery;
  const isNext = told !== null && delivery.status === 'pending';
  const tried = { ...delivery, ...attempt };
  if (attempt.error === null) {
    const status = 'delivered';
    return {
      delivery: { ...tried, status },
      progress: isNext ? startAt(told.position) : progress,
      state: 'active',
    };
  }
  const failed = { ...tried, status: 'failed' } as const;
  if (told !== null && attempt.httpStatus === GONE) return { delivery: failed, progress, state: 'ended' };
  if (!isNext) return { delivery: failed, progress, state: 'active' };
  const failingSince = progress.failingSince ?? attempt.at;
  const attempts = progress.attempts + 1;
  const endsAt = failingSince + GIVE_UP_AFTER_MS;
  const dueAt = Math.min(attempt.at + (RETRY_AFTER_MS[attempts - 1] ?? LAST_RETRY_AFTER_MS), endsAt);
  return {
    // A paused subscription that is resumed continues with this delivery.
    delivery: { ...tried, status: 'pending' },
    progress: { ...progress, attempts, failingSince, dueAt },
    state: attempt.at >= endsAt ? 'paused' : 'active',
  };
}

/** Progress without failures: changes after `position` are due at once. */
export function startAt(position: number): SubscriptionProgress {
  return { position, dueAt: null, attempts: 0, failingSince: null };
}
