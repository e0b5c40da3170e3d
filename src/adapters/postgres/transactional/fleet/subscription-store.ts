/** A trigger watches the filters of active subscriptions (`schema/live.ts`). */
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  SubscriptionRow,
  toSubscription,
  toSubscriptionRow,
} from '#adapters/postgres/transactional/entities/subscription-row.ts';
import { inReach, type Orm } from '#adapters/postgres/transactional/orm.ts';
import type { SubscriptionReader, SubscriptionWriter } from '#application/ports/live/subscription-store.ts';
import { type AccessScope, canReach } from '#domain/access/access-scope.ts';

export function makeSubscriptionReader(orm: Orm): SubscriptionReader {
  return {
    find: (scope, id) =>
      orm.withScope(scope, async (em) => {
        const row = await em.findOne(SubscriptionRow, { id, ...inReach(scope) });
        return row === null ? null : toSubscription(row);
      }),
    list: (scope, filterId) =>
      orm.withScope(scope, async (em) => {
        const where = { ...(filterId !== null && { filterId }), ...inReach(scope) };
        const rows = await em.find(SubscriptionRow, where, { orderBy: { createdAt: 'desc', id: 'desc' } });
        return rows.map(toSubscription);
      }),
  };
}

export function subscriptionWriter(em: EntityManager, scope: AccessScope): SubscriptionWriter {
  return {
    holdCount: async (orgId) => {
      if (!canReach(scope, orgId)) return 0;
      await em.flush();
      await em.execute(HOLD_COUNT, [orgId]);
      // A new statement, which sees the commits of earlier lock holders.
      return em.count(SubscriptionRow, { orgId, ...NOT_ENDED });
    },
    find: async (id) => {
      const row = await em.findOne(SubscriptionRow, { id, ...inReach(scope) }, { refresh: true });
      return row === null ? null : toSubscription(row);
    },
    ofFilter: async (filterId) => {
      const where = { filterId, ...NOT_ENDED, ...inReach(scope) };
      const order = { createdAt: 'asc', id: 'asc' } as const;
      return (await em.find(SubscriptionRow, where, { orderBy: order, refresh: true })).map(toSubscription);
    },
    add: async (subscription) => {
      if (!canReach(scope, subscription.orgId)) throw new Error('the subscription is out of reach');
      em.create(SubscriptionRow, toSubscriptionRow(subscription));
      await em.flush();
    },
    // The statement of a managed row or of `em.remove` would carry the id but not the scope.
    replace: async ({ id, name, state }) => {
      await em.flush();
      const count = await em.nativeUpdate(SubscriptionRow, { id, ...inReach(scope) }, { name, state });
      if (count !== 1) throw new Error(`there is no subscription ${id}`);
    },
    remove: async (id) => {
      await em.flush();
      const count = await em.nativeDelete(SubscriptionRow, { id, ...inReach(scope) });
      if (count !== 1) throw new Error(`there is no subscription ${id}`);
    },
  };
}

const NOT_ENDED = { state: { $ne: 'ended' } } as const;

const HOLD_COUNT = `select pg_advisory_xact_lock(hashtextextended('subscriptions of ' || ?::text, 0))`;
