/** A trigger keeps the filters of active subscriptions watched (`schema/live.ts`). */
import { randomUUID } from 'node:crypto';
import { type EntityManager, raw } from '@mikro-orm/postgresql';
import {
  SubscriptionRow,
  toProgress,
  toProgressColumns,
  toSubscription,
  toSubscriptionRow,
} from '#adapters/postgres/transactional/entities/subscription-row.ts';
import { FOR_UPDATE, type Orm, ownersInReach, withinReach } from '#adapters/postgres/transactional/orm.ts';
import type {
  SubscriptionQueue,
  SubscriptionReader,
  SubscriptionWriter,
} from '#application/ports/live/subscription-store.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { isWithinReach, mayChangeFor } from '#domain/access/ownership.ts';
import { LONGEST_WAIT_MS } from '#domain/membership/subscription.ts';

export function makeSubscriptionReader(orm: Orm): SubscriptionReader {
  return {
    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const row = await em.findOne(SubscriptionRow, { id, ...(await ownersInReach(em, scope)) });
        return row === null ? null : toSubscription(row);
      }),
    list: (scope, filterId) =>
      orm.withScope(scope, async (em) => {
        const where = { ...(filterId !== null && { filterId }), ...(await ownersInReach(em, scope)) };
        const rows = await em.find(SubscriptionRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toSubscription);
      }),
  };
}

export function subscriptionWriter(em: EntityManager, scope: AccessScope): SubscriptionWriter {
  return {
    holdCount: async (owner) => {
      if (!mayChangeFor(scope, owner)) return 0;
      const of =
        owner.kind === 'organization' ? { orgId: owner.orgId } : { orgId: null, partnerId: owner.partnerId };
      await em.flush();
      await em.execute(HOLD_COUNT, [of.orgId ?? of.partnerId]);
      // A new statement sees what earlier holders of the lock have committed.
      return em.count(SubscriptionRow, { ...of, ...NOT_ENDED });
    },
    find: async (id) => {
      const row = await em.findOne(SubscriptionRow, { id, ...withinReach(scope) }, { refresh: true });
      return row === null ? null : toSubscription(row);
    },
    ofFilter: async (filterId) => {
      const where = { filterId, ...NOT_ENDED, ...withinReach(scope) };
      const order = { createdAt: 'asc', id: 'asc' } as const;
      return (await em.find(SubscriptionRow, where, { orderBy: order, refresh: true })).map(toSubscription);
    },
    add: async (subscription) => {
      if (!isWithinReach(scope, subscription)) throw new Error('the subscription is out of reach');
      em.create(SubscriptionRow, toSubscriptionRow(subscription));
      await em.flush();
      await em.execute(BEGIN_AT_END, [subscription.id]);
    },
    // Managed rows are not used, because their updates and `em.remove` would name the id but not the scope.
    replace: async (subscription) => {
      await em.flush();
      const { id, name, state, url, recipients, notify, batchSeconds, guard } =
        toSubscriptionRow(subscription);
      const dueAt = raw('case when batch_seconds is distinct from ? then null else due_at end', [
        batchSeconds,
      ]);
      const changed = { name, state, url, recipients, notify, batchSeconds, guard, dueAt };
      const count = await em.nativeUpdate(SubscriptionRow, { id, ...withinReach(scope) }, changed);
      if (count !== 1) throw new Error(`there is no subscription ${id}`);
    },
    hold: async ({ subscription: { id }, claim }) => {
      await em.flush();
      const row = await em.findOne(SubscriptionRow, { id, claim, ...withinReach(scope) }, FOR_UPDATE);
      if (row === null) return null;
      return { subscription: toSubscription(row), progress: toProgress(row), claim };
    },
    progressOf: async (id) => {
      const row = await em.findOne(SubscriptionRow, { id, ...withinReach(scope) }, { refresh: true });
      return row === null ? null : toProgress(row);
    },
    setProgress: async (id, progress) => {
      await em.flush();
      const where = { id, ...withinReach(scope) };
      const count = await em.nativeUpdate(SubscriptionRow, where, toProgressColumns(progress));
      if (count !== 1) throw new Error(`there is no subscription ${id}`);
    },
    release: async (id) => {
      await em.flush();
      await em.nativeUpdate(
        SubscriptionRow,
        { id, ...withinReach(scope) },
        { claim: null, claimedUntil: null },
      );
    },
    settle: async ({ subscription: { id }, claim }, progress) => {
      await em.flush();
      const settled = { ...toProgressColumns(progress), claim: null, claimedUntil: null };
      const held = { id, claim, state: 'active', ...withinReach(scope) } as const;
      return (await em.nativeUpdate(SubscriptionRow, held, settled)) === 1;
    },
    remove: async (id) => {
      await em.flush();
      const count = await em.nativeDelete(SubscriptionRow, { id, ...withinReach(scope) });
      if (count !== 1) throw new Error(`there is no subscription ${id}`);
    },
  };
}

const NOT_ENDED = { state: { $ne: 'ended' } } as const;

const HOLD_COUNT = `select pg_advisory_xact_lock(hashtextextended('subscriptions of ' || ?::text, 0))`;

const BEGIN_AT_END = `
  update subscription s set position = f.seq from live_filter f where s.id = ? and f.filter_id = s.filter_id`;

export function makeSubscriptionQueue(orm: Orm): SubscriptionQueue {
  return {
    claim: (kind, now, leaseMs, limit, inHand = []) =>
      orm.withScope(SYSTEM_SCOPE, async (em) => {
        const claim = randomUUID();
        const [at, until, tooLate] = [0, leaseMs, LONGEST_WAIT_MS].map((ms) => new Date(now + ms));
        const given = [kind, at, tooLate, at, tooLate, `{${[...inHand].join()}}`, limit, claim, until];
        const rows = await em.execute<object[]>(CLAIM, given);
        return rows
          .map((row) => em.map(SubscriptionRow, row))
          .map((row) => ({ subscription: toSubscription(row), progress: toProgress(row), claim }));
      }),
  };
}

const CLAIM = `
  with due as (
    select s.id from subscription s left join live_filter f using (filter_id)
    where s.kind = ? and (
        (s.state = 'active' and f.seq > s.position and (s.due_at is null or s.due_at <= ? or s.due_at > ?))
        or (s.state <> 'ended' and exists (
          select from webhook_delivery d where d.subscription_id = s.id and d.is_requested)))
      and (s.claimed_until is null or s.claimed_until <= ? or s.claimed_until > ?)
      and s.id <> all(?::uuid[]) and coalesce(s.org_id, s.partner_id) <> all(array(select owner_id from maintenance))
    order by s.due_at nulls first, s.id limit ? for no key update of s skip locked
  )
  update subscription s set claim = ?, claimed_until = ? from due where s.id = due.id returning s.*`;
