/** Resumes webhooks and mails, renews secrets, and lists and repeats deliveries (Contract: §17). */
import { refuseWithoutDevicesWrite } from '#application/access/refusals.ts';
import { type ApplicationError, SUBSCRIPTION_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { WebhookReader } from '#application/ports/live/webhook-store.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { DeliveryId, SubscriptionId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import type { WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { DAY_MS } from '#domain/time.ts';
import { factsOf, type SubscriptionDeps } from './create-subscription.ts';
import { CURSOR_EXPIRED, INVALID_FEED_CURSOR } from './follow-filter.ts';
import { findToFollow, HAS_ENDED, hold, startAgain } from './manage-subscriptions.ts';
import { bindingOf } from './read-members.ts';
import { printTestBody } from './webhook-body.ts';

export interface WebhookDeps extends SubscriptionDeps {
  readonly webhookReader: WebhookReader;
  readonly memberships: Pick<Memberships, 'changes'>;
  readonly cursors: Pick<CursorSigner, 'open'>;
}

/**
 * Resumes from the cursor or, without one, where the subscription stopped. Needs devices:write. Errors:
 * `not_found`, `invalid_cursor`, `cursor_expired`; `conflict` if the subscription has ended or is a feed.
 */
export type ResumeSubscription = (
  call: Call,
  id: SubscriptionId,
  input: { readonly from?: unknown },
) => Promise<Result<Subscription, ApplicationError>>;

export function makeResumeSubscription(deps: WebhookDeps): ResumeSubscription {
  return async (call, id, { from }) => {
    const found = await findToFollow(deps, call, id);
    const known = found.ok ? found.value : null;
    const sealed =
      typeof from === 'string' && known !== null ? deps.cursors.open(from, bindingOf(known)) : null;
    const expired =
      known !== null && (await isExpired(deps, call, known, sealed === null ? null : Number(sealed)));
    return changing(deps, call, id, ['webhook', 'mail'], async (tx, current) => {
      if (from !== undefined && from !== null && sealed === null) return err(INVALID_FEED_CURSOR);
      if (expired) return err(CURSOR_EXPIRED);
      const next = await tx.webhooks.next(id);
      if (sealed !== null && next !== null) {
        await tx.webhooks.replace({
          ...next,
          status: 'failed',
          error: 'it was passed over by another cursor',
        });
      }
      const resumed: Subscription = { ...current, state: 'active' };
      await tx.subscriptions.replace(resumed);
      await startAgain(tx, id, sealed === null ? null : Number(sealed));
      const fields = ['state', ...(sealed === null ? [] : ['position'])];
      const facts = factsOf(current);
      const details = { ...facts.details, fields };
      await tx.audit(deps.makeEntry(call, { ...facts, action: UPDATED, details }));
      return ok(resumed);
    });
  };
}

/** True if undelivered changes are no longer stored. A stored message counts as delivered. */
async function isExpired(
  { memberships, unitOfWork }: WebhookDeps,
  { caller: { scope } }: Call,
  { id, filterId }: Subscription,
  from: number | null,
): Promise<boolean> {
  const stoppedAt = () =>
    unitOfWork(scope, async (tx) => {
      const next = await tx.webhooks.next(id);
      return next?.told?.position ?? (await tx.subscriptions.progressOf(id))?.position ?? 0;
    });
  return (await memberships.changes(scope, filterId, from ?? (await stoppedAt()), 1)) === 'expired';
}

const UPDATED = 'subscription.updated';

/** Locks filter and subscription and runs `work`. Refuses subscriptions that have ended. Needs devices:write. */
async function changing<T>(
  deps: WebhookDeps,
  call: Call,
  id: SubscriptionId,
  kinds: readonly Subscription['kind'][],
  work: (tx: Transaction, current: Subscription) => Promise<Result<T, ApplicationError>>,
): Promise<Result<T, ApplicationError>> {
  const attempt = { action: UPDATED, resourceId: id } as const;
  const refusal = refuseWithoutDevicesWrite(call);
  if (refusal !== null) return deps.deny(call, attempt, refusal);
  const found = await findToFollow(deps, call, id);
  if (!found.ok) return deps.deny(call, attempt, found.error);
  return deps.unitOfWork(call.caller.scope, async (tx): Promise<Result<T, ApplicationError>> => {
    const current = await hold(tx, found.value);
    if (current === null) return deps.deny(call, attempt, SUBSCRIPTION_NOT_FOUND, tx);
    if (!kinds.includes(current.kind)) return err(otherKind(kinds));
    return current.state === 'ended' ? err(HAS_ENDED) : work(tx, current);
  });
}

function otherKind(kinds: readonly string[]): ApplicationError {
  return { code: 'conflict', detail: `The subscription is not a ${kinds.join(' or ')}.` };
}

export interface RenewedSecret {
  readonly secret: string;
}

/** The former secret also signs for a day. Needs devices:write. Errors: as for {@link TestWebhook}. */
export type RenewSecret = (
  call: Call,
  id: SubscriptionId,
) => Promise<Result<RenewedSecret, ApplicationError>>;

export function makeRenewSecret(deps: WebhookDeps): RenewSecret {
  return (call, id) =>
    changing(deps, call, id, ['webhook'], async (tx, current) => {
      const secret = deps.secrets.webhookSecret();
      await tx.webhooks.setSecret(id, secret, deps.clock() + DAY_MS);
      const facts = factsOf(current);
      const details = { ...facts.details, fields: ['secret'] };
      await tx.audit(deps.makeEntry(call, { ...facts, action: UPDATED, details }));
      return ok({ secret });
    });
}

/**
 * Returns the pending test delivery. Needs devices:write. Errors: `not_found`; `conflict` if the subscription
 * has ended or is not a webhook.
 */
export type TestWebhook = (
  call: Call,
  id: SubscriptionId,
) => Promise<Result<WebhookDelivery, ApplicationError>>;

export function makeTestWebhook(deps: WebhookDeps): TestWebhook {
  return (call, id) =>
    changing(deps, call, id, ['webhook'], async (tx, current) => {
      const filter = await tx.filters.findForUpdate(current.filterId);
      if (filter === null) return err(HAS_ENDED);
      const at = deps.clock();
      const delivery: WebhookDelivery = {
        ...{ id: deps.newId<'delivery'>(), subscriptionId: id, told: null },
        body: printTestBody({ subscription: current, filter, at }),
        ...{ status: 'pending', at, httpStatus: null, durationMs: null, error: null },
      };
      await tx.webhooks.add(delivery);
      await tx.webhooks.request(id, delivery.id);
      return ok(delivery);
    });
}

/** Newest first. Error: `not_found`. */
export type ListDeliveries = (
  call: Call,
  id: SubscriptionId,
) => Promise<Result<readonly WebhookDelivery[], ApplicationError>>;

export function makeListDeliveries({
  subscriptions,
  webhookReader,
}: Pick<WebhookDeps, 'subscriptions' | 'webhookReader'>): ListDeliveries {
  return async (call, id) => {
    const found = await findToFollow({ subscriptions }, call, id);
    return found.ok ? ok(await webhookReader.deliveries(call.caller.scope, id)) : found;
  };
}

/** Sends the same id and body again. Needs devices:write. Errors: as for {@link TestWebhook}. */
export type Redeliver = (
  call: Call,
  id: SubscriptionId,
  deliveryId: DeliveryId | null,
) => Promise<Result<WebhookDelivery, ApplicationError>>;

export function makeRedeliver(deps: WebhookDeps): Redeliver {
  return (call, id, deliveryId) =>
    changing(deps, call, id, ['webhook'], async (tx) => {
      const found = deliveryId === null ? null : await tx.webhooks.find(id, deliveryId);
      if (found === null) return err(DELIVERY_NOT_FOUND);
      await tx.webhooks.request(id, found.id);
      return ok(found);
    });
}

const DELIVERY_NOT_FOUND: ApplicationError = {
  code: 'not_found',
  detail: 'There is no such delivery, or it is no longer kept.',
};
