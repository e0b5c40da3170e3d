/** Values that devices in reach have, for the fields of which the service tells them: tags and software. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { knownValuesQuery } from '#console/api/filter-text.ts';
import { useApi } from '#console/app/services.ts';
import type { ComboItem } from '#console/parts/combo.tsx';
import { useDebounced } from '#console/parts/use-debounced.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { valueSourceOf } from '#domain/filter/text/complete-filter-text.ts';

export interface KnownValues {
  /** Those that begin with what was typed, then those that contain it. */
  readonly items: readonly ComboItem[];
  /** Asks for the values of a text; of an empty one, for the most frequent. */
  readonly find: (text: string) => void;
}

/** Milliseconds after the last key. */
const FIND_AFTER_MS = 120;

/** Null for a field of which nothing is told; organizations and sites go by their names, which are all known here. */
export function useKnownValues(field: FilterField): KnownValues | null {
  // Nothing is asked before somebody is there to choose.
  const [typed, setTyped] = useState<string | null>(null);
  const settled = useDebounced(typed, FIND_AFTER_MS);
  const isKnown = !field.isUuid && valueSourceOf(field) !== null;
  const { data = [] } = useQuery({
    ...knownValuesQuery(useApi(), field.key, settled ?? ''),
    enabled: isKnown && settled !== null,
  });
  if (!isKnown) return null;
  // The answer before, as far as it still fits.
  const wanted = (typed ?? '').trim().toLowerCase();
  const fitting = data.filter((value) => value.toLowerCase().includes(wanted));
  return { items: fitting.map((value) => ({ id: value, label: value })), find: setTyped };
}
