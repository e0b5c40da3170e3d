/** Contract: §17. */
import { Hono } from 'hono';
import * as v from 'valibot';
import { makePiecesInTurn } from '#adapters/http/answer/piece-turns.ts';
import { orRefuse, pathId } from '#adapters/http/answer/refusal.ts';
import {
  respondDone,
  respondEvents,
  respondJson,
  respondPieces,
  respondResult,
} from '#adapters/http/answer/respond.ts';
import type { HttpEnv } from '#adapters/http/http-env.ts';
import type { Authenticate } from '#adapters/http/read/authenticate.ts';
import {
  described,
  firstInstant,
  idOf,
  lastInstant,
  optional,
  text,
  wholeNumber,
} from '#adapters/http/read/query-parameters.ts';
import { readBody } from '#adapters/http/read/read-body.ts';
import { querySchema, readQuery } from '#adapters/http/read/read-query.ts';
import { claimantOf } from '#application/admission/request-budgets.ts';
import { FILTER_NOT_FOUND, SUBSCRIPTION_NOT_FOUND } from '#application/application-error.ts';
import type { LiveUseCases } from '#application/live/live-use-cases.ts';
import { NEW_SUBSCRIPTION, SUBSCRIPTION_CHANGE } from './live-shapes.ts';
import {
  presentChanges,
  presentCreated,
  presentEvents,
  presentHistory,
  presentMembers,
  presentSubscription,
  presentSubscriptions,
} from './present-live.ts';

export const SUBSCRIPTION_LIST_QUERY = querySchema({
  filterId: described(optional(idOf<'filter'>(), null), 'Only subscriptions to this filter.'),
});

export const CHANGES_QUERY = v.pipe(
  querySchema({
    cursor: described(
      optional(text, null),
      'A cursor from the members or the previous answer. Without one, the answer has only changes from now on.',
    ),
    latest: described(
      optional(wholeNumber({ min: 1, max: 1_000 }), null),
      'The number of latest changes to return, instead of `cursor` and `limit`. Not for server-sent events.',
      50,
    ),
    limit: described(
      optional(wholeNumber({ min: 1, max: 1_000 }), 100),
      'The maximum number of changes in the answer.',
      100,
    ),
    wait: described(
      optional(wholeNumber({ min: 0, max: 30 }), 0),
      'Seconds to wait for the first change. Not for server-sent events.',
      30,
    ),
  }),
  v.forward(
    v.partialCheck(
      [['cursor'], ['latest']],
      ({ cursor, latest }) => cursor === null || latest === null,
      'latest cannot be combined with cursor',
    ),
    ['latest'],
  ),
);

export const HISTORY_QUERY = querySchema({
  from: described(optional(firstInstant, null), 'By default a week before `to`.', '2026-02-03'),
  to: described(optional(lastInstant, null), 'By default now.', '2026-02-10'),
});

export interface LiveRoutesDeps {
  readonly live: LiveUseCases;
  readonly authenticate: Authenticate;
  /** True when streams should end. Absent: only their clients end them. */
  readonly isStopping?: () => boolean;
}

export function liveRoutes({ live, authenticate, isStopping = () => false }: LiveRoutesDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const inTurn = makePiecesInTurn();

  routes.get('/subscriptions', authenticate, async (c) => {
    const query = orRefuse(readQuery(c, SUBSCRIPTION_LIST_QUERY));
    const found = await live.listSubscriptions(c.get('call'), query.filterId);
    return respondJson(c, 200, presentSubscriptions(found));
  });

  routes.post('/subscriptions', authenticate, async (c) => {
    const sent = orRefuse(await readBody(c, NEW_SUBSCRIPTION));
    const created = orRefuse(await live.createSubscription(c.get('call'), sent));
    const headers = { Location: `${c.req.path}/${created.subscription.id}` };
    return respondJson(c, 201, presentCreated(created), headers);
  });

  routes.get('/subscriptions/:id', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    return respondResult(c, await live.readSubscription(c.get('call'), id), presentSubscription);
  });

  routes.patch('/subscriptions/:id', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    const sent = orRefuse(await readBody(c, SUBSCRIPTION_CHANGE));
    return respondResult(c, await live.updateSubscription(c.get('call'), id, sent), presentSubscription);
  });

  routes.delete('/subscriptions/:id', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    return respondDone(c, await live.deleteSubscription(c.get('call'), id));
  });

  routes.get('/subscriptions/:id/members', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    const call = c.get('call');
    const members = orRefuse(await live.readMembers(call, id));
    const lines = inTurn(claimantOf(call.caller), presentMembers(members));
    return respondPieces(c, lines, { 'Content-Type': 'application/x-ndjson' });
  });

  routes.get('/subscriptions/:id/changes', authenticate, async (c) => {
    const id = pathId<'subscription'>(c, SUBSCRIPTION_NOT_FOUND);
    const { wait, ...from } = orRefuse(readQuery(c, CHANGES_QUERY));
    const { headers } = c.req.raw;
    if (headers.get('accept')?.includes('text/event-stream')) {
      // When a browser reconnects, its `Last-Event-ID` is newer than the cursor in the address.
      const last = headers.get('last-event-id') ?? from.cursor;
      const pages = await live.followChanges(c.get('call'), id, last, isStopping);
      return respondEvents(c, presentEvents(orRefuse(pages)));
    }
    const changes = await live.readChanges(c.get('call'), id, { ...from, waitMs: wait * 1_000 });
    return respondResult(c, changes, presentChanges);
  });

  routes.get('/filters/:id/history', authenticate, async (c) => {
    const id = pathId<'filter'>(c, FILTER_NOT_FOUND);
    const query = orRefuse(readQuery(c, HISTORY_QUERY));
    return respondResult(c, await live.readHistory(c.get('call'), id, query), presentHistory);
  });

  return routes;
}
