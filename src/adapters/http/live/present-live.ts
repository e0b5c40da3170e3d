import type { CreatedSubscription } from '#application/live/create-subscription.ts';
import type { Changes } from '#application/live/follow-filter.ts';
import type { Members } from '#application/live/read-members.ts';
import type { MemberCount } from '#application/ports/live/memberships.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type {
  ChangeShape,
  ChangesShape,
  CreatedShape,
  DeliveryShape,
  MembersHead,
  SubscriptionShape,
} from './live-shapes.ts';

export function presentSubscription(subscription: Subscription): string {
  return JSON.stringify(toSubscription(subscription));
}

export function presentCreated({ subscription, secret }: CreatedSubscription): string {
  const created = { ...toSubscription(subscription), ...(secret !== null && { secret }) };
  return JSON.stringify(created satisfies CreatedShape);
}

export function presentDelivery(delivery: WebhookDelivery): string {
  return JSON.stringify(toDelivery(delivery));
}

export function presentDeliveries(deliveries: readonly WebhookDelivery[]): string {
  return JSON.stringify({ data: deliveries.map(toDelivery) });
}

function toDelivery({ id, at, status, httpStatus, durationMs, error, told }: WebhookDelivery): DeliveryShape {
  const { from, to } = told ?? { from: null, to: null };
  return { id, at: printInstant(at), status, httpStatus, durationMs, error, from, to };
}

export function presentSubscriptions(subscriptions: readonly Subscription[]): string {
  return JSON.stringify({ data: subscriptions.map(toSubscription) });
}

function toSubscription(subscription: Subscription): SubscriptionShape {
  const { id, filterId, name, kind, state, createdBy, createdAt } = subscription;
  const { url, recipients, notify, batchSeconds, guard } = subscription;
  return {
    ...{ id, filterId, name, kind, url, recipients, notify, batchSeconds, guard, state, createdBy },
    createdAt: printInstant(createdAt),
  };
}

const LINES_AT_ONCE = 1_000;

/** Yields one line of JSON for the head, one for each member, and one for the end. */
export async function* presentMembers({ ids, cursor, filterVersion, evaluatedAt }: Members) {
  const head = { cursor, count: ids.length, filterVersion, evaluatedAt: printInstant(evaluatedAt) };
  yield `${JSON.stringify(head satisfies MembersHead)}\n`;
  for (let from = 0; from < ids.length; from += LINES_AT_ONCE) {
    yield ids
      .slice(from, from + LINES_AT_ONCE)
      .map((id) => `{"id":"${id}"}\n`)
      .join('');
  }
  yield '{"end":true}\n';
}

export function presentChanges({ changes, cursor, more }: Changes): string {
  return JSON.stringify({ data: changes.map(toChange), cursor, more } satisfies ChangesShape);
}

function toChange(change: MembershipChange): ChangeShape {
  const { seq, at, type, filterVersion } = change;
  const device =
    'deviceId' in change ? { deviceId: change.deviceId, hostname: change.hostname, cause: change.cause } : {};
  return { seq, at: printInstant(at), type, ...device, filterVersion };
}

/** A comment starts the stream; later comments keep the connection alive through proxies. */
export async function* presentEvents(pages: AsyncGenerator<Changes | null>): AsyncGenerator<string> {
  yield COMMENT;
  for await (const page of pages) {
    if (page === null) yield COMMENT;
    for (const change of page?.changes ?? []) {
      yield `id: ${change.cursor}\ndata: ${JSON.stringify(toChange(change))}\n\n`;
    }
  }
}

const COMMENT = ':\n\n';

export function presentHistory(counts: readonly MemberCount[]): string {
  return JSON.stringify({ data: counts.map(({ at, count }) => ({ at: printInstant(at), count })) });
}
