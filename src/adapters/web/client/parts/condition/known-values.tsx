/** Values of fields of which the service tells what devices in reach have: tags and software. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { knownValuesQuery } from '#console/api/filters/filter-text.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ChipsField, type ChipsFieldProps } from '#console/parts/fields/chips-field.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { useDebounced } from '#console/parts/hooks/use-debounced.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { valueSourceOf } from '#domain/filter/text/complete/complete-filter-text.ts';
import type { TextEditorProps } from './text-editor.tsx';

/** Whether the server lists values of the field. Organizations and sites go by their names, which are all known here. */
export function isTold(field: FilterField): boolean {
  return !field.isUuid && valueSourceOf(field) !== null;
}

/** A text, with values to take. */
export function KnownText(props: TextEditorProps & { readonly field: FilterField }) {
  const { field, value, onChange, ...shared } = props;
  const { items, find } = useKnownValues(field);
  const text = value === undefined ? '' : String(value);
  const write = (next: string) => onChange(next === '' ? undefined : next);
  return (
    <Combo
      {...shared}
      value={text}
      items={items.filter(({ id }) => id !== text)}
      onType={find}
      onText={write}
      onChange={write}
    />
  );
}

export interface KnownChipsProps
  extends Pick<ChipsFieldProps, 'label' | 'values' | 'onChange' | 'isInvalid' | 'describedBy'> {
  readonly field: FilterField;
}

/** Several texts, with values to take. */
export function KnownChips({ field, ...chips }: KnownChipsProps) {
  const { items, find } = useKnownValues(field);
  return (
    <ChipsField {...chips} items={items} onType={find} takesOthers placeholder={words.filters.addValue} />
  );
}

/** Milliseconds after the last key. */
const FIND_AFTER_MS = 120;

/** Those that begin with what was typed, then those that contain it; of an empty text the most frequent. */
function useKnownValues(field: FilterField) {
  // Nothing is asked before somebody is there to choose.
  const [typed, find] = useState<string | null>(null);
  const settled = useDebounced(typed, FIND_AFTER_MS);
  const { data = [] } = useQuery({
    ...knownValuesQuery(useApi(), field.key, settled ?? ''),
    ...(settled === null && { enabled: false }),
  });
  // The answer before, as far as it still fits.
  const wanted = (typed ?? '').trim().toLowerCase();
  const fitting = data.filter(({ label }) => label.toLowerCase().includes(wanted));
  const items = fitting.map(({ label, description }) => ({
    id: label,
    label,
    ...(description !== null && { detail: description }),
  }));
  return { items, find };
}
