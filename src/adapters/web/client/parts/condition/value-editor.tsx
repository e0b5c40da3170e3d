import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { ChipsField, type ChipsFieldProps } from '#console/parts/fields/chips-field.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import { useKnownValues } from '#console/parts/hooks/use-known-values.ts';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import { valueSourceOf } from '#domain/filter/text/complete/complete-filter-text.ts';
import { editorFor } from './condition-value.ts';
import {
  DateEditor,
  NumberEditor,
  RangeEditor,
  RingEditor,
  SpanEditor,
  TextEditor,
  type TextEditorProps,
} from './editors.tsx';
import { namesFor, type Vocabulary } from './use-vocabulary.ts';

export interface ValueEditorProps {
  readonly field: FilterField;
  readonly operator: Operator;
  readonly value: unknown;
  readonly vocabulary: Vocabulary;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { field, operator, value, vocabulary, isInvalid, describedBy, onChange } = props;
  const editor = editorFor(field, operator);
  const shared = { label: words.filters.value, isInvalid, describedBy };
  switch (editor.kind) {
    case 'none':
      return null;
    case 'text':
      return hasKnownValues(field) ? (
        <KnownText {...shared} field={field} value={value} onChange={onChange} />
      ) : (
        <TextEditor {...shared} value={value} onChange={onChange} />
      );
    case 'ring':
      return <RingEditor {...shared} value={value} onChange={onChange} />;
    case 'number':
      return <NumberEditor {...shared} value={value} onChange={onChange} />;
    case 'date':
      return <DateEditor {...shared} value={value} onChange={onChange} />;
    case 'range':
      return <RangeEditor {...shared} of={editor.of} value={value} onChange={onChange} />;
    case 'span':
      return <SpanEditor {...shared} value={value} onChange={onChange} />;
    case 'boolean':
      return (
        <Dropdown
          {...shared}
          isLabelHidden
          value={value === undefined ? '' : String(value)}
          onChange={(chosen) => onChange(chosen === 'true')}
        >
          {typeof value !== 'boolean' && <option value={value === undefined ? '' : String(value)} />}
          <option value="true">{words.filters.yes}</option>
          <option value="false">{words.filters.no}</option>
        </Dropdown>
      );
    case 'choice': {
      const chosen = value === undefined ? '' : String(value);
      const choices = field.values ?? [];
      return (
        <Dropdown {...shared} isLabelHidden value={chosen} onChange={onChange}>
          {!choices.includes(chosen) && (
            <option value={chosen} disabled={chosen === ''}>
              {chosen === '' ? words.filters.chooseValue : chosen}
            </option>
          )}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </Dropdown>
      );
    }
    case 'name':
      return (
        <Combo
          {...shared}
          value={value === undefined ? null : String(value)}
          items={namesFor(field, vocabulary)}
          onChange={onChange}
          placeholder={words.filters.chooseValue}
          emptyText={words.filters.noChoice}
        />
      );
    case 'chips': {
      const chips = {
        ...shared,
        values: Array.isArray(value) ? value.map(String) : [],
        onChange: (values: readonly string[]) => onChange(values.length === 0 ? undefined : values),
      };
      if (hasKnownValues(field)) return <KnownChips {...chips} field={field} />;
      const isNamed = field.isUuid && valueSourceOf(field) !== null;
      const isListed = isNamed || field.values !== null;
      const choices = (field.values ?? []).map((choice) => ({ id: choice, label: choice }));
      return (
        <ChipsField
          {...chips}
          items={isNamed ? namesFor(field, vocabulary) : choices}
          takesOthers={!isListed}
          placeholder={isListed ? words.filters.chooseValue : words.filters.addValue}
        />
      );
    }
  }
}

/** Whether to ask the API for values. Names, such as those of sites, are already loaded. */
function hasKnownValues(field: FilterField): boolean {
  return !field.isUuid && valueSourceOf(field) !== null;
}

function KnownText(props: TextEditorProps & { readonly field: FilterField }) {
  const { field, value, onChange, ...shared } = props;
  const { items, onType } = useKnownItems(field.key);
  const text = value === undefined ? '' : String(value);
  const write = (next: string) => onChange(next === '' ? undefined : next);
  return (
    <Combo
      {...shared}
      value={text}
      items={items.filter(({ id }) => id !== text)}
      onType={onType}
      onText={write}
      onChange={write}
    />
  );
}

interface KnownChipsProps
  extends Pick<
    ChipsFieldProps,
    'label' | 'values' | 'onChange' | 'placeholder' | 'isInvalid' | 'hasFocusAtFirst' | 'describedBy'
  > {
  readonly field: FilterField;
}

export function KnownChips({ field, placeholder = words.filters.addValue, ...chips }: KnownChipsProps) {
  return <ChipsField {...chips} {...useKnownItems(field.key)} takesOthers placeholder={placeholder} />;
}

export function useKnownItems(field: string) {
  // Null until the field is used, so that nothing is loaded before.
  const [typed, onType] = useState<string | null>(null);
  const { values, isAsking } = useKnownValues(typed === null ? null : field, typed ?? '');
  const items = values.map(({ label, description }) => ({
    id: label,
    label,
    ...(description !== null && { detail: description }),
  }));
  return { items, isAsking, onType };
}
