/** Contract: §17. */
import { queryOptions } from '@tanstack/react-query';
import type {
  MemberCount,
  MembershipChange,
  Subscription,
  WebhookDelivery,
} from '#adapters/http/api-types.ts';
import { DAY_MS } from '#domain/time.ts';
import { type Api, ApiError } from './http.ts';
import { type Data, listQuery } from './pages.ts';

export const LIVE_KEY = ['live'] as const;

/** Newest first. A null `filterId` gives the subscriptions of all filters. */
export const subscriptionsQuery = (api: Api, filterId: string | null) =>
  listQuery<Subscription>(api, [...LIVE_KEY, filterId, 'subscriptions'], '/subscriptions', { filterId });

export const HISTORY_DAYS = 30;

export const memberCountsQuery = (api: Api, filterId: string) =>
  queryOptions({
    queryKey: [...LIVE_KEY, filterId, 'history'],
    queryFn: async ({ signal }) => {
      const query = { from: new Date(Date.now() - HISTORY_DAYS * DAY_MS).toISOString() };
      return (await api.call<Data<readonly MemberCount[]>>(`/filters/${filterId}/history`, { query, signal }))
        .data;
    },
    refetchInterval: 60_000,
  });

export interface RecentChanges {
  /** Newest first. */
  readonly changes: readonly MembershipChange[];
  /** Null before the first evaluation. */
  readonly cursor: string | null;
}

const NOTHING_YET: RecentChanges = { changes: [], cursor: null };

const MOST_CHANGES = 200;

const WAIT_S = 25;

/** The first request reads the latest changes. Later requests are long polls for new changes. */
export const recentChangesQuery = (api: Api, filterId: string, subscriptionId: string) => {
  const queryKey = [...LIVE_KEY, filterId, 'changes', subscriptionId];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<RecentChanges> => {
      const known = client.getQueryData<RecentChanges>(queryKey) ?? NOTHING_YET;
      const path = `/subscriptions/${subscriptionId}/changes`;
      const read = async ({ changes, cursor }: RecentChanges): Promise<RecentChanges> => {
        const query = cursor === null ? { latest: 50 } : { cursor, limit: MOST_CHANGES, wait: WAIT_S };
        const page = await api.call<ChangePage>(path, { query, signal });
        const all = [...page.data.toReversed(), ...changes].slice(0, MOST_CHANGES);
        return { changes: all, cursor: page.cursor };
      };
      try {
        return await read(known);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'conflict') return NOTHING_YET;
        if (error.code === 'cursor_expired') return read(NOTHING_YET);
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : 200),
    gcTime: 0,
  });
};

interface ChangePage {
  readonly data: readonly MembershipChange[];
  readonly cursor: string;
}

export type SubscriptionSettings = Partial<
  Pick<Subscription, 'name' | 'url' | 'recipients' | 'notify' | 'batchSeconds' | 'guard'>
>;

/** Only a new webhook has a secret. */
export type CreatedSubscription = Subscription & { readonly secret?: string };

export function createSubscription(
  api: Api,
  body: SubscriptionSettings & Pick<Subscription, 'filterId' | 'kind'>,
): Promise<CreatedSubscription> {
  return api.call('/subscriptions', { method: 'POST', body });
}

export function changeSubscription(
  api: Api,
  id: string,
  body: SubscriptionSettings | Pick<Subscription, 'state'>,
): Promise<Subscription> {
  return api.call(`/subscriptions/${id}`, { method: 'PATCH', body });
}

export function deleteSubscription(api: Api, id: string): Promise<void> {
  return api.call(`/subscriptions/${id}`, { method: 'DELETE' });
}

/** Resumes where the subscription stopped, or from now. Throws `ApiError` `cursor_expired`. */
export async function resumeSubscription(api: Api, id: string, isFromNow: boolean): Promise<void> {
  const path = `/subscriptions/${id}`;
  const from = isFromNow ? (await api.call<ChangePage>(`${path}/changes`)).cursor : null;
  await api.call(`${path}/resume`, { method: 'POST', body: { from } });
}

export async function renewSecret(api: Api, id: string): Promise<string> {
  const renewed = await api.call<{ readonly secret: string }>(`/subscriptions/${id}/secret`, {
    method: 'POST',
  });
  return renewed.secret;
}

export function testWebhook(api: Api, id: string): Promise<void> {
  return api.call(`/subscriptions/${id}/test`, { method: 'POST' });
}

/** Newest first. */
export const deliveriesQuery = (api: Api, id: string) =>
  queryOptions({
    ...listQuery<WebhookDelivery>(api, [...LIVE_KEY, 'deliveries', id], `/subscriptions/${id}/deliveries`),
    refetchInterval: 2_000,
  });

export function redeliver(api: Api, id: string, deliveryId: string): Promise<void> {
  return api.call(`/subscriptions/${id}/deliveries/${deliveryId}/redeliver`, { method: 'POST' });
}
