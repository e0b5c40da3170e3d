/**
 * Mails about devices that enter and leave a filter (Contract: §17, Mails). One transaction queues the mails and moves
 * the subscription's position, so each change is mailed exactly once.
 */
import type { Job } from '#application/job.ts';
import type { SharedClock } from '#application/ports/clock.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { Memberships } from '#application/ports/live/memberships.ts';
import type { ClaimedSubscription, SubscriptionQueue } from '#application/ports/live/subscription-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import type { FilterFacts, QueuedMail } from '#domain/mail/queued-mail.ts';
import { CrossingFinder, DigestBuilder } from '#domain/membership/change-digest.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import { type Subscription, scopeOfSubscription } from '#domain/membership/subscription.ts';
import type { EpochMs } from '#domain/time.ts';
import { holdRecipients } from './mail-recipients.ts';

export interface FilterMailsJobDeps {
  readonly subscriptionQueue: SubscriptionQueue;
  readonly memberships: Pick<Memberships, 'changes' | 'countAt' | 'heads'>;
  readonly filters: SavedFilterReader;
  readonly unitOfWork: UnitOfWork;
  readonly sharedClock: SharedClock;
  readonly newId: IdGenerator;
}

const LOOK_EVERY_MS = 1_000;

/** Long enough to read a million changes before the claim expires. */
const LEASE_MS = 60_000;

const AT_ONCE = 4;

const PAGE = 1_000;

export function makeFilterMailsJob(deps: FilterMailsJobDeps): Job {
  return {
    name: 'filter mails',
    concurrency: 1,
    intervalMs: LOOK_EVERY_MS,
    run: async ({ stopping }) => {
      for (;;) {
        if (stopping.aborted) return;
        const now = await deps.sharedClock();
        const claimed = await deps.subscriptionQueue.claim('mail', now, LEASE_MS, AT_ONCE);
        if (claimed.length === 0) return;
        const outcomes = await Promise.allSettled(claimed.map((each) => tell(deps, each)));
        const failure = outcomes.find(({ status }) => status === 'rejected');
        // A failed subscription is claimed again when its claim expires.
        if (failure?.status === 'rejected') throw failure.reason;
      }
    },
  };
}

/** `position` is the number of the last change that was read for the mails. */
interface Told {
  readonly position: number;
  readonly mails: readonly Mail[];
  readonly dueAt: EpochMs | null;
}

type Mail = {
  readonly [K in 'filter-changes' | 'filter-count']: Pick<Extract<QueuedMail, { kind: K }>, 'kind' | 'facts'>;
}['filter-changes' | 'filter-count'];

async function tell(deps: FilterMailsJobDeps, claimed: ClaimedSubscription): Promise<void> {
  const { id, filterId } = claimed.subscription;
  const filter = await deps.filters.find(scopeOfSubscription(claimed.subscription), filterId);
  const told = filter === null ? null : await read(deps, claimed, filter.name);
  if (told === null) return;
  const { position, mails, dueAt } = told;
  await deps.unitOfWork(SYSTEM_SCOPE, async (tx) => {
    const current = mails.length === 0 ? null : await tx.subscriptions.find(id);
    const recipients = await holdRecipients(tx, claimed.subscription, current?.recipients ?? []);
    const progress = { position, dueAt, attempts: 0, failingSince: null };
    if (!(await tx.subscriptions.settle(claimed, progress))) return;
    for (const mail of mails) {
      const requestId = deps.newId<'account-notice'>();
      for (const to of recipients) await tx.mail({ ...mail, requestId, to });
    }
  });
}

/** Null if the filter has no feed. */
async function read(
  deps: FilterMailsJobDeps,
  { subscription, progress }: ClaimedSubscription,
  filterName: string,
): Promise<Told | null> {
  const { filterId, notify, name } = subscription;
  const scope = scopeOfSubscription(subscription);
  const before = await deps.memberships.countAt(scope, filterId, progress.position);
  const digest = new DigestBuilder();
  const crossings = notify === null || notify === 'changes' ? null : new CrossingFinder(notify, before ?? 0);
  let position = before === null ? null : progress.position;
  for await (const change of changesAfter(deps, scope, subscription, position)) {
    position = change.seq;
    (crossings ?? digest).add(change);
  }
  position ??= (await deps.memberships.heads([filterId])).get(filterId) ?? null;
  const count = position === null ? null : await deps.memberships.countAt(scope, filterId, position);
  if (position === null || count === null) return null;
  const facts: FilterFacts = { filterId, filterName, subscriptionName: name, count };
  const now = await deps.sharedClock();
  const pauseUntil = now + (subscription.batchSeconds ?? 0) * 1_000;
  if (crossings === null) {
    const isComplete = before !== null;
    const mail = { kind: 'filter-changes', facts: { ...facts, ...digest.finish(now), isComplete } } as const;
    return { position, mails: [mail], dueAt: pauseUntil };
  }
  if (before === null || notify === null || notify === 'changes') return { position, mails: [], dueAt: null };
  const found = crossings.finish();
  return {
    position,
    mails: found.map((crossing) => ({
      kind: 'filter-count',
      facts: { ...facts, ...crossing, line: notify },
    })),
    // A count that swings around the threshold in `notify` must not cause many mails. So a pause follows each
    // crossing back.
    dueAt: found.some(({ isBack }) => isBack) ? pauseUntil : null,
  };
}

/** Yields all changes after `position`. If `position` is null, yields the last page of the stored changes. */
async function* changesAfter(
  { memberships }: Pick<FilterMailsJobDeps, 'memberships'>,
  scope: AccessScope,
  { filterId }: Subscription,
  position: number | null,
): AsyncGenerator<MembershipChange> {
  for (let after = position; ; ) {
    const page = await memberships.changes(scope, filterId, after, PAGE);
    if (page === null || page === 'expired') return;
    yield* page.changes;
    after = page.changes.at(-1)?.seq ?? after;
    if (!page.hasMore || page.changes.length === 0) return;
  }
}
