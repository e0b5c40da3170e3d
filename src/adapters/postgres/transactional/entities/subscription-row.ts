import { defineEntity, p } from '@mikro-orm/core';
import type { FilterId, OrgId, PartnerId, SubscriptionId, UserId } from '#domain/ids.ts';
import type {
  Notify,
  Subscription,
  SubscriptionGuard,
  SubscriptionKind,
  SubscriptionProgress,
  SubscriptionState,
} from '#domain/membership/subscription.ts';
import type { EpochMs } from '#domain/time.ts';

/** Always update with the caller's scope in the `where`. */
const SubscriptionSchema = defineEntity({
  name: 'SubscriptionRow',
  tableName: 'subscription',
  properties: {
    id: p.uuid().$type<SubscriptionId>().primary(),
    orgId: p.uuid().$type<OrgId>().strictNullable(),
    partnerId: p.uuid().$type<PartnerId>().strictNullable(),
    filterId: p.uuid().$type<FilterId>(),
    name: p.text(),
    kind: p.text().$type<SubscriptionKind>(),
    state: p.text().$type<SubscriptionState>(),
    createdBy: p.uuid().$type<UserId>(),
    createdAt: p.datetime(3),
    url: p.text().strictNullable(),
    recipients: p.array().$type<UserId[]>().strictNullable(),
    notify: p.json<Notify>().strictNullable(),
    batchSeconds: p.integer().strictNullable(),
    guard: p.json<SubscriptionGuard>().strictNullable(),
    position: p.bigint('number'),
    dueAt: p.datetime(3).strictNullable(),
    attempts: p.integer(),
    failingSince: p.datetime(3).strictNullable(),
    claim: p.uuid().strictNullable(),
    claimedUntil: p.datetime(3).strictNullable(),
  },
});

export class SubscriptionRow extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(SubscriptionRow);

export function toSubscription(row: SubscriptionRow): Subscription {
  const { id, orgId, partnerId, filterId, name, kind, state, createdBy, createdAt } = row;
  const { url, recipients, notify, batchSeconds, guard } = row;
  return {
    ...{
      id,
      orgId,
      partnerId,
      filterId,
      name,
      kind,
      url,
      recipients,
      notify,
      batchSeconds,
      guard,
      state,
      createdBy,
    },
    createdAt: createdAt.getTime(),
  };
}

/** A new subscription has not reported any changes yet. */
export function toSubscriptionRow({ createdAt, recipients, ...same }: Subscription) {
  return {
    ...same,
    recipients: recipients === null ? null : [...recipients],
    createdAt: new Date(createdAt),
    ...{ position: 0, dueAt: null, attempts: 0, failingSince: null, claim: null, claimedUntil: null },
  };
}

export function toProgress({
  position,
  dueAt,
  attempts,
  failingSince,
}: SubscriptionRow): SubscriptionProgress {
  return {
    position,
    dueAt: dueAt?.getTime() ?? null,
    attempts,
    failingSince: failingSince?.getTime() ?? null,
  };
}

export function toProgressColumns({ position, dueAt, attempts, failingSince }: SubscriptionProgress) {
  return {
    position,
    dueAt: toDate(dueAt),
    attempts,
    failingSince: toDate(failingSince),
  };
}

function toDate(instant: EpochMs | null): Date | null {
  return instant === null ? null : new Date(instant);
}
