/** Filters as text, and why they match what they match (Contract: §11, §12). */
import { queryOptions } from '@tanstack/react-query';
import type { CompletionItem } from '#domain/filter/text/completion-items.ts';
import type { ConditionJson } from '#domain/filter/text/condition-json.ts';
import type { Api } from './http.ts';

interface Answer<T> {
  readonly data: T;
}

/** A text of more characters is sent in a body, as no address is that long. */
const MAX_IN_ADDRESS = 1500;

export interface ParsedText {
  readonly conditions: ConditionJson;
  /** As it is printed. */
  readonly q: string;
}

/** The conditions that a text means. Throws `ApiError` with each fault and its place. */
export const parsedTextQuery = (api: Api, q: string) =>
  queryOptions({
    queryKey: ['filter-text', q],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<ParsedText>>('/filters/parse', { method: 'POST', body: { q }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The text of these conditions. */
export async function formatText(api: Api, conditions: ConditionJson): Promise<string> {
  const { data } = await api.call<Answer<{ q: string }>>('/filters/format', {
    method: 'POST',
    body: { conditions },
  });
  return data.q;
}

export interface TextCompletion {
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
}

/** What can follow what was begun before `at`, with values that devices in reach have. */
export const completionQuery = (api: Api, q: string, at: number) =>
  queryOptions({
    queryKey: ['completion', q, at],
    queryFn: async ({ signal }) =>
      (await api.call<Answer<TextCompletion>>('/filters/complete', { query: { q, at }, signal })).data,
    enabled: q.length <= MAX_IN_ADDRESS,
    staleTime: 60_000,
  });

/** What is known of one condition or group. */
export interface ExplainedNode {
  readonly path: string;
  readonly operator: string;
  readonly field?: string;
  readonly count: number;
  readonly countWithout?: number;
  readonly device?: { readonly matches: boolean; readonly actual?: unknown };
}

export interface Explanation {
  readonly evaluatedAt: string;
  readonly deviceCount: number;
  readonly totalCount: number;
  /** In document order. */
  readonly nodes: readonly ExplainedNode[];
}

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
        await api.call<Answer<Explanation>>('/filters/explain', {
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
