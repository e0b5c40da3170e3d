import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { summaryQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKnownValues } from '#console/parts/hooks/use-known-values.ts';
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { type Completion, completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import {
  type CompletionItem,
  mergeItems,
  toTitleItem,
} from '#domain/filter/text/complete/completion-items.ts';
import { isHalfWord, isWholeValued } from '#domain/filter/text/complete/half-words.ts';
import type { FleetSummary } from '#domain/fleet/fleet-summary.ts';

const SUMMARY_MS = 300_000;

export interface CompletionInput {
  readonly text: string;
  readonly at: number;
  /** If false, the server is not asked. */
  readonly isUsed: boolean;
  readonly catalog: FieldCatalog;
  /** Suggested while the text is empty. */
  readonly proposals: readonly CompletionItem[];
}

export interface ShownCompletion extends Pick<Completion, 'from' | 'to' | 'items'> {
  /** Whether the word at the caret is unfinished; null until the server answers. */
  readonly isHalf: boolean | null;
}

/** Items of the catalog appear at once, values with their counts later. */
export function useCompletion(input: CompletionInput): ShownCompletion {
  const { text, at, isUsed, catalog, proposals } = input;
  const begun = useMemo(() => completeFilterText(text, at, catalog), [text, at, catalog]);
  const { from, to, kind, source, field, typed } = begun;
  const { org = null } = useSearch({ strict: false });
  const isTitle = kind === 'key' && source !== null;
  const asked = isTitle ? 'software.installed' : (field?.key ?? '');
  const { values, isAsking } = useKnownValues(isUsed && source !== null ? asked : null, typed);
  const { data: summary } = useQuery({
    ...summaryQuery(useApi(), org),
    enabled: isUsed && COUNTED.has(field?.key ?? ''),
    // Counting the fleet is slow, so it is done rarely. Values appear without counts too.
    staleTime: SUMMARY_MS,
    refetchInterval: false,
    retry: false,
  });
  // Counts cover all organizations, so a page narrowed to one hides them.
  const counted = org === null ? values : values.map((value) => ({ ...value, description: null }));
  const known = isTitle ? counted.map(({ label, description }) => toTitleItem(label, description)) : counted;
  const items = withCounts(mergeItems(known, begun.items), field, summary);
  const written = text.slice(from, to);
  return {
    from,
    to,
    items: [...(text === '' ? proposals : []), ...items.filter(({ insert }) => insert !== written)],
    isHalf: isAsking && typed !== '' && isWholeValued(field) ? null : isHalfWord(begun, items, at, catalog),
  };
}

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
