import { queryOptions } from '@tanstack/react-query';
import type { Completion, ParsedText } from '#adapters/http/api-types.ts';
import type { Api } from '#console/api/http.ts';
import type { Data } from '#console/api/pages.ts';
import { type CompletionItem, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import { quote } from '#domain/filter/text/print/quote-text.ts';
import { printKey } from '#domain/filter/text/text-keys.ts';

/** Throws `ApiError` with each fault and its place (Contract: §11). */
export const parsedTextQuery = (api: Api, q: string) =>
  queryOptions({
    queryKey: ['filter-text', q],
    queryFn: async ({ signal }) =>
      (await api.call<Data<ParsedText>>('/filters/parse', { method: 'POST', body: { q }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** In characters; longer texts would not fit into an address. */
const MAX_TYPED = 200;

/** Values that devices in reach have in this field and that contain `typed`, most frequent first. */
export const knownValuesQuery = (api: Api, field: string, typed: string) =>
  queryOptions({
    queryKey: ['known-values', field, typed],
    queryFn: async ({ signal }): Promise<readonly CompletionItem[]> => {
      // An open quote makes the service complete values only.
      const query = { q: `${printKey(field)}:${quote(typed.slice(0, MAX_TYPED)).slice(0, -1)}` };
      const { data } = await api.call<Data<Completion>>('/filters/complete', { query, signal });
      // Leaves out words of the grammar, such as `none`.
      return data.items.filter(({ insert, label }) => insert === toValueItem(label).insert);
    },
    placeholderData: (before: readonly CompletionItem[] | undefined, query) =>
      query?.queryKey[1] === field ? before : undefined,
    staleTime: 60_000,
  });

export const filterConditionsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['filter-conditions', id],
    queryFn: async ({ signal }) =>
      (await api.call<{ conditions: ConditionJson }>(`/filters/${encodeURIComponent(id)}`, { signal }))
        .conditions,
  });
