/** The members of a filter now, and how many there were in the past (Contract: §17). */
import { type ApplicationError, FILTER_NOT_FOUND } from '#application/application-error.ts';
import type { Call } from '#application/call.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CursorSigner } from '#application/ports/cursor-signer.ts';
import type { SavedFilterReader } from '#application/ports/filters/saved-filter-store.ts';
import type { MemberCount, MemberSnapshot, Memberships } from '#application/ports/live/memberships.ts';
import type { SubscriptionReader } from '#application/ports/live/subscription-store.ts';
import type { FilterId, SubscriptionId } from '#domain/ids.ts';
import type { Subscription } from '#domain/membership/subscription.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { DAY_MS, type EpochMs } from '#domain/time.ts';
import type { FeedPoll } from './feed-poll.ts';
import { findToFollow } from './manage-subscriptions.ts';

export interface Members extends Omit<MemberSnapshot, 'seq'> {
  /** Reading changes with this cursor continues from these members. */
  readonly cursor: string;
}

/** Waits some seconds for a first evaluation. Errors: `not_found`; `conflict` if the filter is still not evaluated. */
export type ReadMembers = (call: Call, id: SubscriptionId) => Promise<Result<Members, ApplicationError>>;

export interface FollowDeps {
  readonly subscriptions: SubscriptionReader;
  readonly memberships: Memberships;
  readonly filters: SavedFilterReader;
  readonly feedPoll: Pick<FeedPoll, 'wait'>;
  readonly cursors: CursorSigner;
  readonly clock: Clock;
}

export function makeReadMembers(deps: FollowDeps): ReadMembers {
  return async (call, id) => {
    const found = await findToFollow(deps, call, id);
    if (!found.ok) return found;
    const subscription = found.value;
    if (!(await isEvaluated(deps, call, subscription))) return err(whyNoFeed(subscription));
    const members = await deps.memberships.members(call.caller.scope, subscription.filterId);
    if (members === null) return err(NOT_EVALUATED);
    const { seq, ...rest } = members;
    return ok({ ...rest, cursor: sealCursor(deps, subscription, seq) });
  };
}

const FIRST_EVALUATION_MS = 5_000;

export async function isEvaluated(
  { memberships, feedPoll }: Pick<FollowDeps, 'memberships' | 'feedPoll'>,
  call: Call,
  { filterId, state }: Subscription,
): Promise<boolean> {
  const isKnown = async () => (await memberships.heads([filterId])).has(filterId);
  if (await isKnown()) return true;
  if (state === 'ended') return false;
  call.endTurn?.();
  await feedPoll.wait(filterId, BEFORE_ALL, FIRST_EVALUATION_MS, call.signal);
  return isKnown();
}

/** Less than every head: even a feed without changes has the head 0. */
const BEFORE_ALL = -1;

export const NOT_EVALUATED: ApplicationError = {
  code: 'conflict',
  detail: 'The members of the filter are not known yet; try again in a few seconds.',
};

const NOT_KEPT: ApplicationError = {
  code: 'conflict',
  detail:
    'The subscription has ended, because its filter was deleted; its members and changes are no longer kept.',
};

export function whyNoFeed({ state }: Subscription): ApplicationError {
  return state === 'ended' ? NOT_KEPT : NOT_EVALUATED;
}

export function sealCursor(
  { cursors }: Pick<FollowDeps, 'cursors'>,
  subscription: Subscription,
  seq: number,
): string {
  return cursors.seal(String(seq), bindingOf(subscription));
}

/** Binds a cursor to the filter, so all of the filter's subscriptions accept it. */
export function bindingOf({ filterId }: Subscription): string {
  return `changes of ${filterId}`;
}

export interface HistoryQuery {
  /** Default: a week before `to`. */
  readonly from: EpochMs | null;
  /** Default: now. */
  readonly to: EpochMs | null;
}

/**
 * Returns member counts at equal intervals, from the creation of the first subscription at the earliest.
 * Empty if the filter has no subscription. Error: `not_found`.
 */
export type ReadHistory = (
  call: Call,
  id: FilterId,
  query: HistoryQuery,
) => Promise<Result<readonly MemberCount[], ApplicationError>>;

const POINTS = 1_000;

export function makeReadHistory({
  filters,
  subscriptions,
  memberships,
  clock,
}: Pick<FollowDeps, 'filters' | 'subscriptions' | 'memberships' | 'clock'>): ReadHistory {
  return async ({ caller: { scope } }, id, query) => {
    if ((await filters.find(scope, id)) === null) return err(FILTER_NOT_FOUND);
    const to = Math.min(query.to ?? clock(), clock());
    const begun = Math.min(...(await subscriptions.list(scope, id)).map(({ createdAt }) => createdAt));
    const from = Math.max(query.from ?? to - 7 * DAY_MS, begun);
    if (from > to) return ok([]);
    const instants = Array.from({ length: POINTS }, (_, i) =>
      Math.round(from + ((to - from) * i) / (POINTS - 1)),
    );
    return ok((await memberships.counts(scope, id, [...new Set(instants)])) ?? []);
  };
}
