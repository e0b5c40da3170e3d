import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { knownValuesQuery } from '#console/api/filters.ts';
import { summaryQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { type Completion, completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { mergeItems } from '#domain/filter/text/complete/completion-items.ts';
import { isCountedBySummary, uncounted, withCounts } from './with-counts.ts';

/** In milliseconds, before the server is asked. */
const PAUSE_MS = 120;

const SUMMARY_MS = 300_000;

export interface CompletionInput {
  readonly text: string;
  /** In UTF-16 code units. */
  readonly at: number;
  readonly isOpen: boolean;
  readonly catalog: FieldCatalog;
}

/** The catalogue's items appear at once; values with counts follow from the server. */
export function useCompletion(input: CompletionInput): Pick<Completion, 'from' | 'to' | 'items'> {
  const { text, at, isOpen, catalog } = input;
  const begun = useMemo(() => completeFilterText(text, at, catalog), [text, at, catalog]);
  const { from, to, source, field, typed } = begun;
  const settled = useDebounced(typed, PAUSE_MS);
  const api = useApi();
  const { org = null } = useSearch({ strict: false });
  const { data: values = [] } = useQuery({
    ...knownValuesQuery(api, field?.key ?? '', settled),
    ...((!isOpen || source === null) && { enabled: false }),
  });
  const { data: summary } = useQuery({
    ...summaryQuery(api, org),
    enabled: isOpen && isCountedBySummary(field),
    // The summary counts the whole fleet, so it is loaded rarely. Values appear without it, too.
    staleTime: SUMMARY_MS,
    refetchInterval: false,
    retry: false,
  });
  const wanted = typed.trim().toLowerCase();
  const fitting = source === null ? [] : values.filter(({ label }) => label.toLowerCase().includes(wanted));
  const items = withCounts(
    mergeItems(org === null ? fitting : fitting.map(uncounted), begun.items),
    field,
    summary,
  );
  const written = text.slice(from, to);
  return { from, to, items: items.filter(({ insert }) => insert !== written) };
}
