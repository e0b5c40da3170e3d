import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { knownValuesQuery } from '#console/api/filters/filter-text.ts';
import { useApi } from '#console/app/services.ts';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { type Completion, completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import { mergeItems, toValueItem } from '#domain/filter/text/complete/completion-items.ts';

/** The server is asked for values of devices when nothing was typed for so long. */
const PAUSE_MS = 120;

export interface CompletionInput {
  readonly text: string;
  /** Where the caret stands, in UTF-16 code units. */
  readonly at: number;
  readonly isOpen: boolean;
  readonly catalog: FieldCatalog;
}

/** What the catalogue proposes at once; what devices have as soon as the server has answered. */
export function useCompletion(input: CompletionInput): Pick<Completion, 'from' | 'to' | 'items'> {
  const { text, at, isOpen, catalog } = input;
  const begun = useMemo(() => completeFilterText(text, at, catalog), [text, at, catalog]);
  const { from, to, source, field, typed } = begun;
  const settled = useDebounced(typed, PAUSE_MS);
  const { data: values = [] } = useQuery({
    ...knownValuesQuery(useApi(), field?.key ?? '', settled),
    ...((!isOpen || source === null) && { enabled: false }),
  });
  const wanted = typed.trim().toLowerCase();
  const fitting = source === null ? [] : values.filter((value) => value.toLowerCase().includes(wanted));
  const items = mergeItems(
    fitting.map((value) => toValueItem(value)),
    begun.items,
  );
  const written = text.slice(from, to);
  return { from, to, items: items.filter(({ insert }) => insert !== written) };
}
