/**
 * Sends changes to the receivers of webhooks (Contract: §17). A claim keeps each subscription to one delivery
 * at a time; no lock is held while waiting for a receiver. The message is stored before it is sent. So after
 * a crash, the claim expires and the message is sent again.
 */
import type { MakeSystemEntry } from '#application/audit/make-entry.ts';
import type { Job, StopSignals } from '#application/job.ts';
import type { Clock, SharedClock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { ChangePage, Memberships } from '#application/ports/live/memberships.ts';
import type { ClaimedSubscription, SubscriptionQueue } from '#application/ports/live/subscription-store.ts';
import type { WebhookMessage, WebhookSender } from '#application/ports/live/webhook-sender.ts';
import type { Log } from '#application/ports/log.ts';
import type { Transaction, UnitOfWork } from '#application/ports/unit-of-work.ts';
import { traceOf } from '#application/telemetry/error-words.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { DEVICES_WRITE } from '#domain/access/permission.ts';
import type { SavedFilter } from '#domain/filter/saved-filter.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import {
  type DeliveryAttempt,
  settleDelivery,
  type ToldChanges,
  type WebhookDelivery,
} from '#domain/membership/webhook-delivery.ts';
import type { EpochMs } from '#domain/time.ts';
import { sealCursor } from './read-members.ts';
import { printChangesBody } from './webhook-body.ts';

export interface WebhookJobDeps {
  readonly queue: SubscriptionQueue;
  readonly memberships: Pick<Memberships, 'changes'>;
  readonly filters: Pick<SavedFilterReader, 'find'>;
  readonly unitOfWork: UnitOfWork;
  readonly send: WebhookSender;
  readonly cursors: CursorSigner;
  readonly makeSystemEntry: MakeSystemEntry;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly newId: IdGenerator;
  readonly log: Log;
}

const LOOK_EVERY_MS = 200;

/** Longer than an attempt and its two transactions take. */
const LEASE_MS = 30_000;

/** Maximum of deliveries at once. Two organizations with 200 hanging receivers each leave room for others. */
const UNDER_WAY = 500;

/** Maximum number of subscriptions per claim. Small, because each delivery needs a connection for two transactions. */
const CLAIMED_AT_ONCE = 8;

/** Maximum number of changes in one delivery. */
const MOST_CHANGES = 100;

export function makeWebhookJob(deps: WebhookJobDeps): Job {
  const { queue, sharedClock, log } = deps;
  const underWay = new Map<SubscriptionId, Promise<void>>();
  let looking: Promise<void> | null = null;

  const deliver = async (claimed: ClaimedSubscription, stop: StopSignals) => {
    const prepared = await prepare(deps, claimed);
    if (prepared === null) return;
    const attempt = await deps.send(prepared.message, stop.aborting);
    await settle(deps, claimed, prepared.delivery, attempt);
  };

  const begin = (claimed: ClaimedSubscription, stop: StopSignals) => {
    const { id } = claimed.subscription;
    const ended = deliver(claimed, stop)
      .catch((error: unknown) => {
        log.error({ subscription: id, stack: traceOf(error) }, 'a delivery was left to be repeated');
      })
      .finally(() => underWay.delete(id))
      // The subscription may have more changes.
      .then(() => look(stop))
      .catch(() => undefined);
    underWay.set(id, ended);
  };

  const claimAll = async (stop: StopSignals) => {
    while (!stop.stopping.aborted && underWay.size < UNDER_WAY) {
      const most = Math.min(CLAIMED_AT_ONCE, UNDER_WAY - underWay.size);
      const now = await sharedClock();
      const claimed = await queue.claim('webhook', now, LEASE_MS, most, [...underWay.keys()]);
      for (const each of claimed) begin(each, stop);
      if (claimed.length < most) return;
    }
  };

  /** Claims run one at a time, so each knows all deliveries under way. */
  const look = (stop: StopSignals): Promise<void> => {
    looking ??= claimAll(stop).finally(() => {
      looking = null;
    });
    return looking;
  };

  return {
    name: 'webhooks',
    concurrency: 1,
    intervalMs: LOOK_EVERY_MS,
    run: look,
    finish: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

interface Prepared {
  readonly delivery: WebhookDelivery;
  readonly message: WebhookMessage;
}

/** Stores the next message, or releases the claim and returns null. */
async function prepare(deps: WebhookJobDeps, claimed: ClaimedSubscription): Promise<Prepared | null> {
  const { id, filterId } = claimed.subscription;
  const { position } = claimed.progress;
  const page = await deps.memberships.changes(SYSTEM_SCOPE, filterId, position, MOST_CHANGES);
  const filter = await deps.filters.find(SYSTEM_SCOPE, filterId);
  const at = await deps.sharedClock();
  return deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    // Pausing needs the filter's lock, which must be taken before the subscription's.
    if (page === 'expired') await tx.filters.findForUpdate(filterId);
    const held = await tx.subscriptions.hold(claimed);
    if (held === null) return null;
    const unchanged = held.progress.position === position;
    const delivery = await nextOf(deps, tx, held, { filter, page: unchanged ? page : null, at });
    if (delivery === null) {
      await tx.subscriptions.release(id);
      return null;
    }
    const secrets = await tx.webhooks.secrets(id, at);
    const message = { id: delivery.id, body: delivery.body, secrets, at };
    return { delivery, message: { ...message, url: held.subscription.url ?? '' } };
  });
}

/** Read before the transaction: reading inside it would need a second connection. */
interface Readable {
  readonly filter: SavedFilter | null;
  readonly page: ChangePage | 'expired' | null;
  readonly at: EpochMs;
}

async function nextOf(
  deps: WebhookJobDeps,
  tx: Transaction,
  { subscription, progress }: ClaimedSubscription,
  { filter, page, at }: Readable,
): Promise<WebhookDelivery | null> {
  const requested = await tx.webhooks.requested(subscription.id);
  if (requested !== null || subscription.state !== 'active') return requested;
  const next = await tx.webhooks.next(subscription.id);
  if (next !== null) return next;
  if (page === 'expired') await pause(deps, tx, subscription, null);
  if (page === 'expired' || page === null || filter === null) return null;
  const last = page.changes.at(-1);
  if (last === undefined) return null;
  const told: ToldChanges = {
    from: sealCursor(deps, subscription, progress.position),
    to: sealCursor(deps, subscription, last.seq),
    position: last.seq,
  };
  const delivery: WebhookDelivery = {
    id: deps.newId<'delivery'>(),
    subscriptionId: subscription.id,
    told,
    body: printChangesBody({ subscription, filter, at }, told, page.changes),
    ...{ status: 'pending', at, httpStatus: null, durationMs: null, error: null },
  };
  await tx.webhooks.add(delivery);
  return delivery;
}

/** `attempt` is null if the delivery was aborted; it then stays due. */
async function settle(
  deps: WebhookJobDeps,
  claimed: ClaimedSubscription,
  sent: WebhookDelivery,
  attempt: DeliveryAttempt | null,
): Promise<void> {
  const { id, filterId } = claimed.subscription;
  await deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    if (attempt !== null && attempt.error !== null) await tx.filters.findForUpdate(filterId);
    const held = await tx.subscriptions.hold(claimed);
    if (held === null) return;
    const delivery = attempt === null ? null : await tx.webhooks.find(id, sent.id);
    if (attempt !== null && delivery !== null) {
      const settled = settleDelivery(held.progress, delivery, attempt);
      await tx.webhooks.replace(settled.delivery);
      const isActive = held.subscription.state === 'active';
      // A success counts even if the subscription was paused or ended meanwhile.
      if (isActive || attempt.error === null) await tx.subscriptions.setProgress(id, settled.progress);
      if (isActive && settled.state === 'paused') await pause(deps, tx, held.subscription, attempt.error);
      if (isActive && settled.state === 'ended') await change(deps, tx, held.subscription, 'ended');
    }
    await tx.subscriptions.release(id);
  });
}

/** The caller has locked the filter. */
async function change(
  { makeSystemEntry }: WebhookJobDeps,
  tx: Transaction,
  subscription: Subscription,
  state: 'paused' | 'ended',
): Promise<void> {
  const { id, orgId, partnerId, filterId, name } = subscription;
  await tx.subscriptions.replace({ ...subscription, state });
  const details = { filterId, name, fields: ['state'], state };
  await tx.audit(
    makeSystemEntry({ action: 'subscription.updated', resourceId: id, orgId, partnerId, details }),
  );
}

async function pause(
  deps: WebhookJobDeps,
  tx: Transaction,
  subscription: Subscription,
  problem: string | null,
): Promise<void> {
  await change(deps, tx, subscription, 'paused');
  const { filterId, name, createdBy } = subscription;
  const able = await tx.people.findHolders(DEVICES_WRITE, subscription);
  const creator = able.filter(({ userId }) => userId === createdBy);
  const facts = { at: deps.clock(), name, filterId, problem };
  const requestId = deps.newId<'account-notice'>();
  for (const to of creator.length > 0 ? creator : able) {
    await tx.mail({ kind: 'webhook-paused', requestId, to, facts });
  }
}
