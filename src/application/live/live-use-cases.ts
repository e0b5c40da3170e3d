import { type Deny, type MakeEntry, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { SecretGenerator } from '#application/ports/auth/secret-generator.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import type { WebhookReader } from '#application/ports/live/webhook-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type CreateSubscription, makeCreateSubscription } from './create-subscription.ts';
import { FeedPoll } from './feed-poll.ts';
import { type FollowChanges, makeFollowChanges, makeReadChanges, type ReadChanges } from './follow-filter.ts';
import {
  type DeleteSubscription,
  type ListSubscriptions,
  makeDeleteSubscription,
  makeListSubscriptions,
  makeReadSubscription,
  makeUpdateSubscription,
  type ReadSubscription,
  type UpdateSubscription,
} from './manage-subscriptions.ts';
import {
  type ListDeliveries,
  makeListDeliveries,
  makeRedeliver,
  makeRenewSecret,
  makeResumeSubscription,
  makeTestWebhook,
  type Redeliver,
  type RenewSecret,
  type ResumeSubscription,
  type TestWebhook,
} from './manage-webhooks.ts';
import { makeReadHistory, makeReadMembers, type ReadHistory, type ReadMembers } from './read-members.ts';

/** Each use case checks the caller and the input. Changes of subscriptions are audited. */
export interface LiveUseCases {
  readonly resumeSubscription: ResumeSubscription;
  readonly renewSecret: RenewSecret;
  readonly testWebhook: TestWebhook;
  readonly listDeliveries: ListDeliveries;
  readonly redeliver: Redeliver;
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

export interface LivePorts {
  readonly filters: SavedFilterReader;
  readonly subscriptions: SubscriptionReader;
  readonly memberships: Memberships;
  readonly webhookReader: WebhookReader;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly secrets: Pick<SecretGenerator, 'webhookSecret'>;
  /** Contract: §17, OUTBOUND_PRIVATE. */
  readonly allowsPrivate: boolean;
  /** Default: the caller is the actor. */
  readonly makeEntry?: MakeEntry;
  readonly deny?: Deny;
}

export function makeLiveUseCases(ports: LivePorts): LiveUseCases {
  const { makeEntry = makeEntryFactory(ports) } = ports;
  const { deny = makeDeny({ ...ports, makeEntry }) } = ports;
  const deps = { ...ports, makeEntry, deny, feedPoll: new FeedPoll(ports.memberships) };
  return {
    resumeSubscription: makeResumeSubscription(deps),
    renewSecret: makeRenewSecret(deps),
    testWebhook: makeTestWebhook(deps),
    listDeliveries: makeListDeliveries(deps),
    redeliver: makeRedeliver(deps),
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
