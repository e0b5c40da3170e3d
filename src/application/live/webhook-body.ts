/** The bodies of webhooks (Contract: §17). */
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import type { ToldChanges } from '#domain/membership/webhook-delivery.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

export interface BodyFacts {
  readonly subscription: Pick<Subscription, 'id'>;
  readonly filter: Pick<SavedFilter, 'id' | 'name' | 'orgId' | 'partnerId'>;
  readonly at: EpochMs;
}

export function printChangesBody(
  facts: BodyFacts,
  { from, to }: Pick<ToldChanges, 'from' | 'to'>,
  changes: readonly MembershipChange[],
): string {
  const told = changes.map(({ at, ...rest }) => ({ ...rest, at: printInstant(at) }));
  return printBody('filter.members.changed', facts, { from, to, count: told.length, changes: told });
}

export function printTestBody(facts: BodyFacts): string {
  return printBody('filter.test', facts, {});
}

function printBody(type: string, { subscription, filter, at }: BodyFacts, data: object): string {
  const { id: filterId, name: filterName, orgId, partnerId } = filter;
  return JSON.stringify({
    type,
    timestamp: printInstant(at),
    data: { subscriptionId: subscription.id, filterId, filterName, orgId, partnerId, ...data },
  });
}
