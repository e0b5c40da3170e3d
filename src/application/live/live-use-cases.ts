import { makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import { FeedPoll } from './feed-poll.ts';
import {
  type FollowChanges,
  type FollowDeps,
  makeFollowChanges,
  makeReadChanges,
  makeReadHistory,
  makeReadMembers,
  type ReadChanges,
  type ReadHistory,
  type ReadMembers,
} from './follow-filter.ts';
import {
  type CreateSubscription,
  type DeleteSubscription,
  type ListSubscriptions,
  makeCreateSubscription,
  makeDeleteSubscription,
  makeListSubscriptions,
  makeReadSubscription,
  makeUpdateSubscription,
  type ReadSubscription,
  type SubscriptionDeps,
  type UpdateSubscription,
} from './manage-subscriptions.ts';

/** Each use case checks the caller and the input; changes of subscriptions are audited. */
export interface LiveUseCases {
  readonly createSubscription: CreateSubscription;
  readonly listSubscriptions: ListSubscriptions;
  readonly readSubscription: ReadSubscription;
  readonly updateSubscription: UpdateSubscription;
  readonly deleteSubscription: DeleteSubscription;
  readonly readMembers: ReadMembers;
  readonly readChanges: ReadChanges;
  readonly followChanges: FollowChanges;
  readonly readHistory: ReadHistory;
}

export interface LivePorts
  extends Omit<SubscriptionDeps, 'makeEntry' | 'deny'>,
    Omit<FollowDeps, 'feedPoll'>,
    Partial<Pick<SubscriptionDeps, 'makeEntry' | 'deny'>> {
  readonly auditLog: AuditLog;
}

export function makeLiveUseCases(ports: LivePorts): LiveUseCases {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const { deny = makeDeny({ ...ports, makeEntry }) } = ports;
  const deps = { ...ports, makeEntry, deny, feedPoll: new FeedPoll(ports.memberships) };
  return {
    createSubscription: makeCreateSubscription(deps),
    listSubscriptions: makeListSubscriptions(deps),
    readSubscription: makeReadSubscription(deps),
    updateSubscription: makeUpdateSubscription(deps),
    deleteSubscription: makeDeleteSubscription(deps),
    readMembers: makeReadMembers(deps),
    readChanges: makeReadChanges(deps),
    followChanges: makeFollowChanges(deps),
    readHistory: makeReadHistory(deps),
  };
}
