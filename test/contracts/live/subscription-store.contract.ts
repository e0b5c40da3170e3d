/** What every store of subscriptions promises. */

import type { ClaimedSubscription } from '#application/ports/live/subscription-store.ts';
import type { Transaction } from '#application/ports/unit-of-work.ts';
import type { AccessScope } from '#domain/access/access-scope.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import {
  LONGEST_WAIT_MS,
  type Subscription,
  type SubscriptionProgress,
} from '#domain/membership/subscription.ts';
import type { EpochMs } from '#domain/time.ts';
import type { ContractBackend } from '#test/contracts/contract-backend.ts';
import { createTenants, REACH } from '#test/contracts/reach.ts';
import { describe, expect, test } from '#test/contracts/test-functions.ts';
import {
  aSavedFilter,
  aSubscription,
  newId,
  orgScope,
  partnerScope,
  SOME_INSTANT,
  SYSTEM_SCOPE,
} from '#test/support/builders.ts';
import { createTenant, type Tenant } from '#test/support/tenant.ts';

export function testSubscriptionStore(backend: () => ContractBackend): void {
  const change = <T>(work: (tx: Transaction) => Promise<T>, scope: AccessScope = SYSTEM_SCOPE) =>
    backend().unitOfWork(scope, work);

  const addFilter = async ({ orgId, userId }: Pick<Tenant, 'orgId' | 'userId'>) => {
    const filter = aSavedFilter({ orgId, createdBy: userId });
    await change((tx) => tx.filters.add(filter));
    return filter;
  };

  const add = async (given: Parameters<typeof aSubscription>[0]) => {
    const subscription = aSubscription(given);
    await change((tx) => tx.subscriptions.add(subscription));
    return subscription;
  };

  const subscribed = async (given: Partial<Subscription> = {}) => {
    const tenant = await createTenant(backend());
    const filter = await addFilter(tenant);
    const subscription = await add({ orgId: tenant.orgId, filterId: filter.id, ...given });
    return { tenant, filter, subscription, scope: orgScope(tenant.orgId) };
  };

  /** The filters of the partner that are watched. */
  const watchedIn = async ({ partnerId }: Tenant) =>
    backend().memberships.evaluate(partnerId, async (evaluation) => {
      const watched = await evaluation.watched();
      evaluation.setInstant(SOME_INSTANT);
      return watched.map(({ filter }) => filter.id);
    });

  const list = (scope: AccessScope = SYSTEM_SCOPE, filterId: Subscription['filterId'] | null = null) =>
    backend().subscriptions.list(scope, filterId);

  describe('SubscriptionStore', () => {
    test('finds a subscription with all its fields', async () => {
      const { subscription, scope } = await subscribed({ name: 'Ünïcode ‘🖨’' });
      expect(await backend().subscriptions.find(scope, subscription.id)).toStrictEqual(subscription);
      expect(await change((tx) => tx.subscriptions.find(subscription.id), scope)).toStrictEqual(subscription);
    });

    test('keeps the settings of each kind', async () => {
      const { tenant, filter, scope } = await subscribed();
      const given = { orgId: tenant.orgId, filterId: filter.id };
      const webhook = await add({
        ...{ ...given, kind: 'webhook', url: 'https://hooks.example/in' },
        guard: { devices: 10, percent: 2.5 },
      });
      const mail = await add({
        ...{ ...given, kind: 'mail', recipients: [tenant.userId, newId()] },
        ...{ notify: { above: 5 }, batchSeconds: 60 },
      });
      const changed: Subscription = {
        ...mail,
        recipients: [newId()],
        notify: 'changes',
        guard: { devices: 0 },
      };
      await change((tx) => tx.subscriptions.replace(changed), scope);
      expect(await backend().subscriptions.find(scope, webhook.id)).toStrictEqual(webhook);
      expect(await backend().subscriptions.find(scope, mail.id)).toStrictEqual(changed);
    });

    test('lists the subscriptions of one filter or all, newest first, ties by id', async () => {
      const { tenant, filter, subscription, scope } = await subscribed();
      const { orgId } = tenant;
      const later = await add({ orgId, filterId: filter.id, createdAt: SOME_INSTANT + 1 });
      const same = await add({ orgId, filterId: filter.id });
      const other = await add({ orgId, filterId: newId<'filter'>(), state: 'ended' });
      const ties = [subscription, same].sort((a, b) => (a.id < b.id ? 1 : -1));
      expect(await list(scope, filter.id)).toStrictEqual([later, ...ties]);
      expect(await list(scope)).toHaveLength(4);
      expect(await list(scope, other.filterId)).toStrictEqual([other]);
    });

    test('counts subscriptions that have not ended, and finds those of a filter, oldest first', async () => {
      const { tenant, filter, subscription, scope } = await subscribed({ createdAt: SOME_INSTANT + 2 });
      const given = { orgId: tenant.orgId, filterId: filter.id };
      const older = await add({ ...given, state: 'paused' });
      await add({ ...given, state: 'ended' });
      expect(await change((tx) => tx.subscriptions.ofFilter(filter.id), scope)).toStrictEqual([
        older,
        subscription,
      ]);
      expect(
        await change(
          (tx) => tx.subscriptions.holdCount({ kind: 'organization', orgId: tenant.orgId }),
          scope,
        ),
      ).toBe(2);
    });

    test('shows subscriptions to a partner-wide filter in each organization, and changes them only partner-wide', async () => {
      const tenant = await createTenant(backend(), 2);
      const { orgId, orgIds, partnerId, userId } = tenant;
      const filter = aSavedFilter({ orgId: null, partnerId, createdBy: userId });
      await change((tx) => tx.filters.add(filter));
      const whole = partnerScope(partnerId, orgIds);
      const subscription = aSubscription({ orgId: null, partnerId, filterId: filter.id });
      await change((tx) => tx.subscriptions.add(subscription), whole);
      expect(await watchedIn(tenant)).toStrictEqual([filter.id]);
      const owner = { kind: 'partner', partnerId } as const;
      expect(await change((tx) => tx.subscriptions.holdCount(owner), whole)).toBe(1);
      expect(await change((tx) => tx.subscriptions.holdCount({ kind: 'organization', orgId }))).toBe(0);
      expect(await list(whole, filter.id)).toStrictEqual([subscription]);
      const parts = [orgScope(orgId), { ...whole, orgIds: [orgId], isWhole: false }];
      const strangers = [partnerScope(newId(), [newId()]), orgScope(newId())];
      for (const scope of [...parts, ...strangers]) {
        const seen = parts.includes(scope) ? [subscription] : [];
        expect(await backend().subscriptions.find(scope, subscription.id)).toStrictEqual(seen[0] ?? null);
        expect(await list(scope, filter.id)).toStrictEqual(seen);
        expect(await list(scope, null)).toStrictEqual(seen);
        expect(await change((tx) => tx.subscriptions.find(subscription.id), scope)).toBeNull();
        expect(await change((tx) => tx.subscriptions.holdCount(owner), scope)).toBe(0);
        await expect(change((tx) => tx.subscriptions.remove(subscription.id), scope)).rejects.toThrow();
        const another = aSubscription({ orgId: null, partnerId, filterId: filter.id });
        await expect(change((tx) => tx.subscriptions.add(another), scope)).rejects.toThrow();
      }
      await change((tx) => tx.subscriptions.remove(subscription.id), whole);
      expect(await watchedIn(tenant)).toStrictEqual([]);
    });

    test('lets one transaction at a time count an organization', async () => {
      const { tenant, filter } = await subscribed();
      const addCounted = () =>
        change(async (tx) => {
          const count = await tx.subscriptions.holdCount({ kind: 'organization', orgId: tenant.orgId });
          await tx.subscriptions.add(aSubscription({ orgId: tenant.orgId, filterId: filter.id }));
          return count;
        });
      const counts = await Promise.all([addCounted(), addCounted(), addCounted()]);
      expect(counts.sort()).toStrictEqual([1, 2, 3]);
    });

    test('replaces name and state, and removes', async () => {
      const { subscription, scope } = await subscribed();
      const renamed: Subscription = { ...subscription, name: 'Ring 1', state: 'paused' };
      await change((tx) => tx.subscriptions.replace(renamed), scope);
      expect(await list(scope)).toStrictEqual([renamed]);
      await change((tx) => tx.subscriptions.remove(subscription.id), scope);
      expect(await list(scope)).toStrictEqual([]);
    });

    test('throws if there is nothing to change', async () => {
      const { subscription } = await subscribed();
      const missing = { ...subscription, id: newId<'subscription'>() };
      await expect(change((tx) => tx.subscriptions.replace(missing))).rejects.toThrow();
      await expect(change((tx) => tx.subscriptions.remove(missing.id))).rejects.toThrow();
      const nowhere = aSubscription({ orgId: newId<'organization'>(), filterId: subscription.filterId });
      await expect(change((tx) => tx.subscriptions.add(nowhere))).rejects.toThrow();
    });

    test.each(REACH)('shows %s only what it reaches', async (_, scopeOf, reached) => {
      const tenants = await createTenants(backend());
      const { tenant, stranger, one, two } = tenants;
      const scope = scopeOf(tenants);
      const places = { one, two, stranger: stranger.orgId };
      for (const [name, orgId] of Object.entries(places)) {
        const { userId } = name === 'stranger' ? stranger : tenant;
        const filter = await addFilter({ orgId, userId });
        const subscription = await add({ orgId, filterId: filter.id });
        const isReached = reached.includes(name);
        const expected = isReached ? subscription : null;
        expect(await backend().subscriptions.find(scope, subscription.id)).toStrictEqual(expected);
        expect(await list(scope, filter.id)).toStrictEqual(isReached ? [subscription] : []);
        const inside = await change(
          async (tx) => ({
            found: await tx.subscriptions.find(subscription.id),
            ofFilter: await tx.subscriptions.ofFilter(filter.id),
            count: await tx.subscriptions.holdCount({ kind: 'organization', orgId }),
          }),
          scope,
        );
        expect(inside).toStrictEqual({
          found: expected,
          ofFilter: isReached ? [subscription] : [],
          count: isReached ? 1 : 0,
        });
        if (isReached) continue;
        await expect(change((tx) => tx.subscriptions.replace(subscription), scope)).rejects.toThrow();
        await expect(change((tx) => tx.subscriptions.remove(subscription.id), scope)).rejects.toThrow();
        const another = aSubscription({ orgId, filterId: filter.id });
        await expect(change((tx) => tx.subscriptions.add(another), scope)).rejects.toThrow();
      }
    });

    test('a filter is watched while it has an active subscription', async () => {
      const { tenant, filter, subscription } = await subscribed({ state: 'paused' });
      const set = (state: Subscription['state']) =>
        change((tx) => tx.subscriptions.replace({ ...subscription, state }));
      expect(await watchedIn(tenant)).toStrictEqual([]);
      await set('active');
      expect(await watchedIn(tenant)).toStrictEqual([filter.id]);
      const second = await add({ orgId: tenant.orgId, filterId: filter.id });
      await set('paused');
      expect(await watchedIn(tenant)).toStrictEqual([filter.id]);
      await change((tx) => tx.subscriptions.remove(second.id));
      expect(await watchedIn(tenant)).toStrictEqual([]);
    });

    test('a filter is not watched by a subscription that was rolled back', async () => {
      const { tenant, filter, subscription } = await subscribed();
      const boom = new Error('rolled back');
      const failed = change(async (tx) => {
        await tx.subscriptions.remove(subscription.id);
        throw boom;
      });
      await expect(failed).rejects.toThrow(boom);
      expect(await watchedIn(tenant)).toStrictEqual([filter.id]);
    });

    describe('the queue', () => {
      const LEASE_MS = 30_000;

      const degrade = ({ partnerId }: Tenant, filter: SavedFilter) =>
        backend().memberships.evaluate(partnerId, async (evaluation) => {
          evaluation.setInstant(SOME_INSTANT);
          if ((await evaluation.watched())[0]?.evaluated === null) evaluation.begin(filter, [], 'v1');
          evaluation.append(filter, { type: 'degraded' });
        });

      /** The claimed subscriptions of the tenant. */
      const claimer =
        (tenant: Tenant) =>
        async (now: EpochMs, inHand: readonly SubscriptionId[] = []) => {
          const claimed = await backend().subscriptionQueue.claim('webhook', now, LEASE_MS, 1_000, inHand);
          return claimed.filter(({ subscription }) => subscription.orgId === tenant.orgId);
        };

      const watching = async (given: Partial<Subscription> = {}) => {
        const made = await subscribed({ kind: 'webhook', url: 'https://hooks.example', ...given });
        return { ...made, claim: claimer(made.tenant) };
      };

      test('gives a subscription with new changes to one worker, until its lease ends', async () => {
        const { tenant, filter, subscription, claim } = await watching();
        expect(await claim(SOME_INSTANT)).toStrictEqual([]);
        await degrade(tenant, filter);
        const [first] = await claim(SOME_INSTANT);
        expect(first?.subscription).toStrictEqual(subscription);
        const begun = { position: 0, dueAt: null, attempts: 0, failingSince: null };
        expect(first?.progress).toStrictEqual(begun);
        expect(await claim(SOME_INSTANT + LEASE_MS - 1)).toStrictEqual([]);
        expect(await claim(SOME_INSTANT + LEASE_MS, [subscription.id])).toStrictEqual([]);
        const [second] = await claim(SOME_INSTANT + LEASE_MS);
        expect(second?.progress).toStrictEqual(begun);
        expect(second?.claim).not.toBe(first?.claim);
      });

      test('lets only the worker with the claim settle, and set when the subscription is due again', async () => {
        const { tenant, filter, claim } = await watching();
        await degrade(tenant, filter);
        const settle = (claimed: ClaimedSubscription | undefined, progress: SubscriptionProgress) =>
          change(async (tx) => claimed !== undefined && tx.subscriptions.settle(claimed, progress));
        const [lost] = await claim(SOME_INSTANT);
        const [held] = await claim(SOME_INSTANT + LEASE_MS);
        const failed = { position: 0, dueAt: SOME_INSTANT + 90_000, attempts: 1, failingSince: SOME_INSTANT };
        const told = { position: 1, dueAt: null, attempts: 0, failingSince: null };
        expect(await settle(lost, told)).toBe(false);
        expect(await settle(held, failed)).toBe(true);
        expect(await settle(held, told)).toBe(false);
        expect(await claim(SOME_INSTANT + 89_999)).toStrictEqual([]);
        const [again] = await claim(SOME_INSTANT + 90_000);
        expect(again?.progress).toStrictEqual(failed);
        expect(await settle(again, told)).toBe(true);
        expect(await claim(SOME_INSTANT + 90_000)).toStrictEqual([]);
        await degrade(tenant, filter);
        expect((await claim(SOME_INSTANT + 90_000)).map(({ progress }) => progress)).toStrictEqual([told]);
      });

      test('begins a subscription after the changes that already exist', async () => {
        const { tenant, filter } = await watching();
        await degrade(tenant, filter);
        const given = { orgId: tenant.orgId, filterId: filter.id };
        const later = await add({ ...given, kind: 'webhook', url: 'https://hooks.example' });
        const claim = claimer(tenant);
        expect((await claim(SOME_INSTANT)).map(({ subscription }) => subscription.id)).not.toContain(
          later.id,
        );
      });

      test('a paused subscription is neither claimed nor settled, and continues when it is active', async () => {
        const { tenant, filter, subscription, claim } = await watching();
        await degrade(tenant, filter);
        const [claimed] = await claim(SOME_INSTANT);
        if (claimed === undefined) throw new Error('it was due');
        const set = (state: Subscription['state']) =>
          change((tx) => tx.subscriptions.replace({ ...subscription, state }));
        await set('paused');
        expect(await change((tx) => tx.subscriptions.settle(claimed, claimed.progress))).toBe(false);
        expect(await claim(SOME_INSTANT + LEASE_MS)).toStrictEqual([]);
        await set('active');
        expect((await claim(SOME_INSTANT + LEASE_MS)).map(({ progress }) => progress)).toStrictEqual([
          claimed.progress,
        ]);
      });

      test('makes a subscription wait until it is due, unless batchSeconds changes', async () => {
        const { tenant, filter, subscription, claim } = await watching();
        await degrade(tenant, filter);
        const [claimed] = await claim(SOME_INSTANT);
        const waiting = { position: 0, dueAt: SOME_INSTANT + 90_000, attempts: 0, failingSince: null };
        await change(async (tx) => claimed !== undefined && tx.subscriptions.settle(claimed, waiting));
        await change((tx) => tx.subscriptions.replace({ ...subscription, name: 'Renamed' }));
        expect(await claim(SOME_INSTANT)).toStrictEqual([]);
        await change((tx) => tx.subscriptions.replace({ ...subscription, batchSeconds: 5 }));
        expect((await claim(SOME_INSTANT)).length).toBe(1);
      });

      test('a subscription that was put off while the clock was ahead is due', async () => {
        const { tenant, filter, claim } = await watching();
        await degrade(tenant, filter);
        const tooLate = SOME_INSTANT + LONGEST_WAIT_MS;
        const [claimed] = await claim(tooLate);
        if (claimed === undefined) throw new Error('it was due');
        const put = { ...claimed.progress, dueAt: tooLate + 1 };
        expect((await claim(SOME_INSTANT)).length).toBe(1);
        const [held] = await claim(SOME_INSTANT + LEASE_MS);
        await change(async (tx) => held !== undefined && tx.subscriptions.settle(held, put));
        expect((await claim(SOME_INSTANT)).length).toBe(1);
      });
    });

    test('subscriptions outlive their filter', async () => {
      const { filter, subscription, scope } = await subscribed();
      await change(async (tx) => {
        await tx.filters.findForUpdate(filter.id);
        await tx.subscriptions.replace({ ...subscription, state: 'ended' });
        await tx.filters.remove(filter.id);
      });
      expect(await list(scope)).toStrictEqual([{ ...subscription, state: 'ended' }]);
    });
  });
}
