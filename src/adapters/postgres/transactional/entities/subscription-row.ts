import { defineEntity, p } from '@mikro-orm/core';
import type { FilterId, OrgId, SubscriptionId, UserId } from '#domain/ids.ts';
import type { Subscription, SubscriptionKind, SubscriptionState } from '#domain/membership/subscription.ts';

/** Changes carry the scope in their predicate. */
const SubscriptionSchema = defineEntity({
  name: 'SubscriptionRow',
  tableName: 'subscription',
  properties: {
    id: p.uuid().$type<SubscriptionId>().primary(),
    orgId: p.uuid().$type<OrgId>(),
    filterId: p.uuid().$type<FilterId>(),
    name: p.text(),
    kind: p.text().$type<SubscriptionKind>(),
    state: p.text().$type<SubscriptionState>(),
    createdBy: p.uuid().$type<UserId>(),
    createdAt: p.datetime(3),
  },
});

export class SubscriptionRow extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(SubscriptionRow);

export function toSubscription(row: SubscriptionRow): Subscription {
  const { id, orgId, filterId, name, kind, state, createdBy } = row;
  return { id, orgId, filterId, name, kind, state, createdBy, createdAt: row.createdAt.getTime() };
}

export function toSubscriptionRow({ createdAt, ...same }: Subscription) {
  return { ...same, createdAt: new Date(createdAt) };
}
