/** The changes of a filter, page by page or as they happen (Contract: §17). */
import { type ApplicationError, SUBSCRIPTION_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import { isWithinReach } from '#domain/access/ownership.ts';
import type { SubscriptionId } from '#domain/ids.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { findToFollow } from './manage-subscriptions.ts';
import {
  bindingOf,
  type FollowDeps,
  isEvaluated,
  NOT_EVALUATED,
  sealCursor,
  whyNoFeed,
} from './read-members.ts';

export interface Changes {
  /** Changes in order, without gaps. */
  readonly changes: readonly (MembershipChange & { readonly cursor: string })[];
  /** Where the next request continues. */
  readonly cursor: string;
  readonly more: boolean;
}

export interface ChangesQuery {
  /** Null begins now, with the next change. */
  readonly cursor: string | null;
  /** Instead of a cursor: how many of the last changes to read. */
  readonly latest: number | null;
  readonly limit: number;
  /** Milliseconds to wait for a first change. */
  readonly waitMs: number;
}

/** Errors: `not_found`, `invalid_cursor`, `cursor_expired`; `conflict` as for `ReadMembers`. */
export type ReadChanges = (
  call: Call,
  id: SubscriptionId,
  query: ChangesQuery,
) => Promise<Result<Changes, ApplicationError>>;

export function makeReadChanges(deps: FollowDeps): ReadChanges {
  return async (call, id, { cursor, latest, limit, waitMs }) => {
    const found = await findToFollow(deps, call, id);
    if (!found.ok) return found;
    const subscription = found.value;
    const begun = await findPlace(deps, call, subscription, cursor);
    if (!begun.ok) return begun;
    const page = await readPage(deps, call, subscription, begun.value, limit, latest);
    if (!page.ok || page.value.changes.length > 0 || waitMs === 0) return page;
    call.endTurn?.();
    await deps.feedPoll.wait(subscription.filterId, begun.value, waitMs, call.signal);
    if (!(await stillReaches(call, subscription))) return err(SUBSCRIPTION_NOT_FOUND);
    return readPage(deps, call, subscription, begun.value, limit);
  };
}

/** The number of the last change that the reader knows. */
async function findPlace(
  deps: FollowDeps,
  call: Call,
  subscription: Subscription,
  cursor: string | null,
): Promise<Result<number, ApplicationError>> {
  const sealed = cursor === null ? null : deps.cursors.open(cursor, bindingOf(subscription));
  if (cursor !== null && sealed === null) return err(INVALID_FEED_CURSOR);
  if (!(await isEvaluated(deps, call, subscription))) return err(whyNoFeed(subscription));
  if (sealed !== null) return ok(Number(sealed));
  const { filterId } = subscription;
  return ok((await deps.memberships.heads([filterId])).get(filterId) ?? 0);
}

async function readPage(
  deps: FollowDeps,
  { caller: { scope } }: Call,
  subscription: Subscription,
  after: number,
  limit: number,
  latest: number | null = null,
): Promise<Result<Changes, ApplicationError>> {
  const { filterId } = subscription;
  const page = await (latest === null
    ? deps.memberships.changes(scope, filterId, after, limit)
    : deps.memberships.changes(scope, filterId, null, latest));
  if (page === null) return err(NOT_EVALUATED);
  if (page === 'expired') return err(CURSOR_EXPIRED);
  const changes = page.changes.map((change) => {
    return { ...change, cursor: sealCursor(deps, subscription, change.seq) };
  });
  const cursor = changes.at(-1)?.cursor ?? sealCursor(deps, subscription, after);
  return ok({ changes, cursor, more: page.hasMore });
}

async function stillReaches({ reachNow }: Call, subscription: Subscription): Promise<boolean> {
  if (reachNow === undefined) return true;
  const scope = await reachNow();
  return scope !== null && isWithinReach(scope, subscription);
}

export const INVALID_FEED_CURSOR: ApplicationError = {
  code: 'invalid_cursor',
  detail:
    'The cursor is not valid for this filter; take one from the members, or leave cursor out to begin now.',
};

export const CURSOR_EXPIRED: ApplicationError = {
  code: 'cursor_expired',
  detail:
    'The changes after this cursor are no longer all kept; read the members again, and continue from there.',
};

/**
 * Yields a first page, which may be empty, then pages with changes, and null after 15 seconds without one. Ends when
 * the caller loses access or `hasEnded` returns true; the reader then reconnects with the last cursor.
 */
export type FollowChanges = (
  call: Call,
  id: SubscriptionId,
  cursor: string | null,
  hasEnded: () => boolean,
) => Promise<Result<AsyncGenerator<Changes | null>, ApplicationError>>;

const PAGE = 100;
const SILENCE_MS = 15_000;

/** Access is checked at least this often. */
const CHECK_MS = 1_000;

export function makeFollowChanges(deps: FollowDeps): FollowChanges {
  return async (call, id, cursor, hasEnded) => {
    const found = await findToFollow(deps, call, id);
    if (!found.ok) return found;
    const subscription = found.value;
    const begun = await findPlace(deps, call, subscription, cursor);
    if (!begun.ok) return begun;
    const first = await readPage(deps, call, subscription, begun.value, PAGE);
    return first.ok ? ok(follow(deps, call, subscription, begun.value, first.value, hasEnded)) : first;
  };
}

async function* follow(
  deps: FollowDeps,
  call: Call,
  subscription: Subscription,
  begun: number,
  first: Changes,
  hasEnded: () => boolean,
): AsyncGenerator<Changes | null> {
  yield first;
  let seq = first.changes.at(-1)?.seq ?? begun;
  let silentSince = performance.now();
  while (!hasEnded() && call.signal?.aborted !== true && (await stillReaches(call, subscription))) {
    const page = await readPage(deps, call, subscription, seq, PAGE);
    if (!page.ok) return;
    const last = page.value.changes.at(-1);
    if (last === undefined) {
      await deps.feedPoll.wait(subscription.filterId, seq, CHECK_MS, call.signal);
      if (performance.now() - silentSince < SILENCE_MS) continue;
      yield null;
    } else {
      yield page.value;
      seq = last.seq;
    }
    silentSince = performance.now();
  }
}
