import { useQuery } from '@tanstack/react-query';
import { knownValuesQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import type { CompletionItem } from '#domain/filter/text/complete/completion-items.ts';
import { useDebounced } from './use-debounced.ts';

/** Counted from the last key press. */
const ASK_AFTER_MS = 120;

export interface KnownValues {
  readonly values: readonly CompletionItem[];
  readonly isAsking: boolean;
}

/** Loads nothing if `field` is null. */
export function useKnownValues(field: string | null, typed: string): KnownValues {
  const settled = useDebounced(typed, ASK_AFTER_MS);
  const { data = [], isFetching } = useQuery({
    ...knownValuesQuery(useApi(), field ?? '', settled),
    ...(field === null && { enabled: false }),
  });
  const wanted = typed.trim().toLowerCase();
  return field === null
    ? { values: [], isAsking: false }
    : {
        values: data.filter(({ label }) => label.toLowerCase().includes(wanted)),
        isAsking: settled !== typed || isFetching,
      };
}
