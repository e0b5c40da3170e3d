/** What every store of webhooks promises: deliveries, secrets, and claims by request. */
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import { KEPT_DELIVERIES, type WebhookDelivery } from '#domain/membership/webhook-delivery.ts';
import { DAY_MS } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aDelivery,
  aSavedFilter,
  aSubscription,
  newId,
  orgScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant } from '#test/support/tenant.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const RENEWED = 'whsec_plJ3nmyCDGBKInavdOK15jsl';

export function testWebhookStore(backend: () => ContractBackend): void {
  const change = <T>(work: (tx: Transaction) => Promise<T>, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, work);

  const subscribed = async (given: Partial<Subscription> = {}) => {
    const { orgId, userId } = await createTenant(backend());
    const filter = aSavedFilter({ orgId, createdBy: userId });
    const subscription = aSubscription({
      ...{ orgId, filterId: filter.id, kind: 'webhook', url: 'https://hooks.example' },
      ...given,
    });
    await change(async (tx) => {
      await tx.filters.add(filter);
      await tx.subscriptions.add(subscription);
    });
    return { id: subscription.id, orgId, subscription, scope: orgScope(orgId) };
  };

  const add = async (subscriptionId: SubscriptionId, given: Partial<WebhookDelivery> = {}) => {
    const delivery = aDelivery({ subscriptionId, ...given });
    await change((tx) => tx.webhooks.add(delivery));
    return delivery;
  };

  const list = (id: SubscriptionId, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().webhookReader.deliveries(scope, id);

  describe('WebhookStore', () => {
    test('finds added and replaced deliveries with all their fields, newest first', async () => {
      const { id, scope } = await subscribed();
      const first = await add(id, { body: '{"name":"Ünïcode ‘🖨’"}' });
      const second = await add(id, { told: null });
      const other = await add((await subscribed()).id);
      const tried: WebhookDelivery = {
        ...first,
        ...{
          status: 'failed',
          at: SOME_INSTANT + 1,
          httpStatus: 503,
          durationMs: 12,
          error: 'it answered 503',
        },
      };
      await change((tx) => tx.webhooks.replace(tried), scope);
      expect(await list(id, scope)).toStrictEqual([second, tried]);
      expect(await change((tx) => tx.webhooks.find(id, first.id), scope)).toStrictEqual(tried);
      expect(await change((tx) => tx.webhooks.find(id, other.id), scope)).toBeNull();
    });

    test('the next delivery is the first pending one that tells changes', async () => {
      const { id } = await subscribed();
      const next = () => change((tx) => tx.webhooks.next(id));
      expect(await next()).toBeNull();
      await add(id, { told: null });
      await add(id, { status: 'delivered' });
      const pending = await add(id);
      expect(await next()).toStrictEqual(pending);
      await change((tx) => tx.webhooks.replace({ ...pending, status: 'delivered' }));
      expect(await next()).toBeNull();
    });

    test('requested deliveries are given oldest first, each until it is replaced', async () => {
      const { id } = await subscribed();
      const requested = () => change((tx) => tx.webhooks.requested(id));
      const [first, second] = [await add(id, { status: 'delivered' }), await add(id, { told: null })];
      await change((tx) => tx.webhooks.request(id, second.id));
      await change((tx) => tx.webhooks.request(id, first.id));
      expect(await requested()).toStrictEqual(first);
      await change((tx) => tx.webhooks.replace(first));
      expect(await requested()).toStrictEqual(second);
      await change((tx) => tx.webhooks.replace(second));
      expect(await requested()).toBeNull();
    });

    test('a request makes a paused subscription due, but not an ended one', async () => {
      const { id, subscription } = await subscribed({ state: 'paused' });
      const { id: delivery } = await add(id, { status: 'delivered' });
      const claim = async (now: number) => {
        const claimed = await backend().subscriptionQueue.claim('webhook', now, 1_000, 1_000);
        return claimed.filter((each) => each.subscription.id === id);
      };
      expect(await claim(SOME_INSTANT)).toStrictEqual([]);
      await change((tx) => tx.webhooks.request(id, delivery));
      const [claimed] = await claim(SOME_INSTANT);
      expect(claimed?.subscription).toStrictEqual(subscription);
      await change((tx) => tx.subscriptions.replace({ ...subscription, state: 'ended' }));
      expect(await claim(SOME_INSTANT + 1_000)).toStrictEqual([]);
    });

    test('a claim can be held with its current state, until it is released or lost', async () => {
      const { id, subscription } = await subscribed();
      const { id: delivery } = await add(id);
      await change((tx) => tx.webhooks.request(id, delivery));
      const claim = async (now: number) => {
        const claimed = await backend().subscriptionQueue.claim('webhook', now, 1_000, 1_000);
        const found = claimed.find((each) => each.subscription.id === id);
        if (found === undefined) throw new Error('it was due');
        return found;
      };
      const lost = await claim(SOME_INSTANT);
      const held = await claim(SOME_INSTANT + 1_000);
      const progress = { position: 7, dueAt: SOME_INSTANT, attempts: 2, failingSince: SOME_INSTANT - 1 };
      await change((tx) => tx.subscriptions.setProgress(id, progress));
      const paused: Subscription = { ...subscription, state: 'paused' };
      await change((tx) => tx.subscriptions.replace(paused));
      expect(await change((tx) => tx.subscriptions.hold(lost))).toBeNull();
      expect(await change((tx) => tx.subscriptions.hold(held))).toStrictEqual({
        ...{ subscription: paused, progress, claim: held.claim },
      });
      expect(await change((tx) => tx.subscriptions.progressOf(id))).toStrictEqual(progress);
      await change((tx) => tx.subscriptions.release(id));
      expect(await change((tx) => tx.subscriptions.hold(held))).toBeNull();
    });

    test('keeps the last deliveries, and those that are pending or requested', async () => {
      const { id } = await subscribed();
      const pending = await add(id);
      const forgotten = await add(id, { status: 'failed' });
      const requested = await add(id, { status: 'failed' });
      await change((tx) => tx.webhooks.request(id, requested.id));
      await change(async (tx) => {
        for (let i = 0; i < KEPT_DELIVERIES; i++) {
          await tx.webhooks.add(aDelivery({ subscriptionId: id, status: 'delivered' }));
        }
      });
      expect(await list(id)).toHaveLength(KEPT_DELIVERIES);
      const find = (delivery: WebhookDelivery) => change((tx) => tx.webhooks.find(id, delivery.id));
      expect(await find(pending)).toStrictEqual(pending);
      expect(await find(requested)).toStrictEqual(requested);
      expect(await find(forgotten)).toBeNull();
    });

    test('the previous secret also signs until it expires', async () => {
      const { id } = await subscribed();
      const secrets = (now: number) => change((tx) => tx.webhooks.secrets(id, now));
      expect(await secrets(SOME_INSTANT)).toStrictEqual([]);
      await change((tx) => tx.webhooks.setSecret(id, SECRET, SOME_INSTANT));
      expect(await secrets(SOME_INSTANT)).toStrictEqual([SECRET]);
      await change((tx) => tx.webhooks.setSecret(id, RENEWED, SOME_INSTANT + DAY_MS));
      expect(await secrets(SOME_INSTANT + DAY_MS - 1)).toStrictEqual([RENEWED, SECRET]);
      expect(await secrets(SOME_INSTANT + DAY_MS)).toStrictEqual([RENEWED]);
    });

    test('removing a subscription removes its deliveries', async () => {
      const { id } = await subscribed();
      await add(id);
      await change((tx) => tx.subscriptions.remove(id));
      expect(await list(id)).toStrictEqual([]);
    });

    test('throws if there is nothing to change', async () => {
      const { id } = await subscribed();
      const unknown = newId<'subscription'>();
      await expect(change((tx) => tx.webhooks.replace(aDelivery({ subscriptionId: id })))).rejects.toThrow();
      await expect(change((tx) => tx.webhooks.request(id, newId()))).rejects.toThrow();
      await expect(change((tx) => tx.webhooks.add(aDelivery({ subscriptionId: unknown })))).rejects.toThrow();
      await expect(change((tx) => tx.webhooks.setSecret(unknown, SECRET, SOME_INSTANT))).rejects.toThrow();
      const begun = { position: 0, dueAt: null, attempts: 0, failingSince: null };
      await expect(change((tx) => tx.subscriptions.setProgress(unknown, begun))).rejects.toThrow();
    });

    test.each(REACH)('shows %s only what it reaches', async (_, scopeOf, reached) => {
      const tenants = await createTenants(backend());
      const { tenant, stranger, one, two } = tenants;
      const scope = scopeOf(tenants);
      for (const [name, orgId] of Object.entries({ one, two, stranger: stranger.orgId })) {
        const { userId } = name === 'stranger' ? stranger : tenant;
        const { id } = await subscribed({ orgId, createdBy: userId });
        const delivery = await add(id);
        await change((tx) => tx.webhooks.setSecret(id, SECRET, SOME_INSTANT));
        const isReached = reached.includes(name);
        const expected = isReached ? delivery : null;
        expect(await list(id, scope)).toStrictEqual(isReached ? [delivery] : []);
        const inside = await change(
          async ({ webhooks, subscriptions }) => ({
            next: await webhooks.next(id),
            found: await webhooks.find(id, delivery.id),
            secrets: await webhooks.secrets(id, SOME_INSTANT),
            progress: (await subscriptions.progressOf(id)) !== null,
          }),
          scope,
        );
        expect(inside).toStrictEqual({
          ...{ next: expected, found: expected, progress: isReached },
          secrets: isReached ? [SECRET] : [],
        });
        if (isReached) continue;
        await expect(change((tx) => tx.webhooks.replace(delivery), scope)).rejects.toThrow();
        await expect(change((tx) => tx.webhooks.request(id, delivery.id), scope)).rejects.toThrow();
        await expect(
          change((tx) => tx.webhooks.add(aDelivery({ subscriptionId: id })), scope),
        ).rejects.toThrow();
        await expect(
          change((tx) => tx.webhooks.setSecret(id, SECRET, SOME_INSTANT), scope),
        ).rejects.toThrow();
      }
    });
  });
}
