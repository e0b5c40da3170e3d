import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { summaryQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKnownValues } from '#console/parts/hooks/use-known-values.ts';
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { type Completion, completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { type CompletionItem, mergeItems } from '#domain/filter/text/complete/completion-items.ts';
import type { FleetSummary } from '#domain/fleet/fleet-summary.ts';

const SUMMARY_MS = 300_000;

export interface CompletionInput {
  readonly text: string;
  readonly at: number;
  readonly isOpen: boolean;
  readonly catalog: FieldCatalog;
}

/** The catalogue's items appear at once; values with counts follow from the server. */
export function useCompletion(input: CompletionInput): Pick<Completion, 'from' | 'to' | 'items'> {
  const { text, at, isOpen, catalog } = input;
  const begun = useMemo(() => completeFilterText(text, at, catalog), [text, at, catalog]);
  const { from, to, source, field, typed } = begun;
  const { org = null } = useSearch({ strict: false });
  const values = useKnownValues(isOpen && source !== null ? (field?.key ?? '') : null, typed);
  const { data: summary } = useQuery({
    ...summaryQuery(useApi(), org),
    enabled: isOpen && COUNTED.has(field?.key ?? ''),
    // Counting the whole fleet is slow, so it is done rarely. Values appear without counts, too.
    staleTime: SUMMARY_MS,
    refetchInterval: false,
    retry: false,
  });
  // The counts cover all organizations, so a page narrowed to one leaves them out.
  const known = org === null ? values : values.map((value) => ({ ...value, description: null }));
  const items = withCounts(mergeItems(known, begun.items), field, summary);
  const written = text.slice(from, to);
  return { from, to, items: items.filter(({ insert }) => insert !== written) };
}

/** Fields whose values the summary counts. */
const COUNTED: ReadonlyMap<string, 'byStatus' | 'byOsType' | 'byRole'> = new Map([
  ['status', 'byStatus'],
  ['osType', 'byOsType'],
  ['deviceRole', 'byRole'],
]);

export function withCounts(
  items: readonly CompletionItem[],
  field: FilterField | null,
  summary: FleetSummary | undefined,
): readonly CompletionItem[] {
  const by = COUNTED.get(field?.key ?? '');
  if (by === undefined || summary === undefined) return items;
  const counts = new Map(Object.entries(summary.devices[by]));
  return items.map((item) => {
    const count = counts.get(item.label);
    return count === undefined ? item : { ...item, description: words.devices.count(count) };
  });
}
