/** Filters as text, and why they match what they match (Contract: §11, §12). */

import { queryOptions } from '@tanstack/react-query';
import type { Completion, Explanation, ParsedText } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { Data } from '#console/api/pages.ts';
import { type CompletionItem, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { quote } from '#domain/filter/text/print/quote-text.ts';
import { printKey } from '#domain/filter/text/text-keys.ts';

/** The conditions that a text means. Throws `ApiError` with each fault and its place. */
export const parsedTextQuery = (api: Api, q: string) =>
  queryOptions({
    queryKey: ['filter-text', q],
    queryFn: async ({ signal }) =>
      (await api.call<Data<ParsedText>>('/filters/parse', { method: 'POST', body: { q }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** More was pasted than any value has letters, and than an address takes. */
const MAX_TYPED = 200;

/** Values of a field that devices in reach have and that begin with a text or contain it, most frequent first. */
export const knownValuesQuery = (api: Api, field: string, typed: string) =>
  queryOptions({
    queryKey: ['known-values', field, typed],
    queryFn: async ({ signal }): Promise<readonly CompletionItem[]> => {
      // In quotes, that are still open, anything is a value.
      const query = { q: `${printKey(field)}:${quote(typed.slice(0, MAX_TYPED)).slice(0, -1)}` };
      const { data } = await api.call<Data<Completion>>('/filters/complete', { query, signal });
      // Without words of the grammar, such as `none`.
      return data.items.filter(({ insert, label }) => insert === toValueItem(label).insert);
    },
    placeholderData: (before: readonly CompletionItem[] | undefined, query) =>
      query?.queryKey[1] === field ? before : undefined,
    staleTime: 60_000,
  });

/** What is to be explained, and where. */
export interface ExplanationWanted {
  readonly conditions: ConditionJson;
  /** Null: what each condition does to the list; else also whether this device matches it. */
  readonly deviceId: string | null;
  /** Null: in all organizations in reach. */
  readonly orgId: string | null;
}

/** Why the devices of a filter are those; with a device: why it is among them, or not. */
export const explanationQuery = (api: Api, { conditions, deviceId, orgId }: ExplanationWanted) =>
  queryOptions({
    queryKey: ['explanation', conditions, deviceId, orgId],
    queryFn: async ({ signal }) =>
      (
        await api.call<Data<Explanation>>('/filters/explain', {
          method: 'POST',
          body: { conditions, ...(deviceId !== null && { deviceId }), ...(orgId !== null && { orgId }) },
          signal,
        })
      ).data,
  });

/** The conditions of a saved filter. */
export const filterConditionsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['filter-conditions', id],
    queryFn: async ({ signal }) =>
      (await api.call<{ conditions: ConditionJson }>(`/filters/${encodeURIComponent(id)}`, { signal }))
        .conditions,
  });
