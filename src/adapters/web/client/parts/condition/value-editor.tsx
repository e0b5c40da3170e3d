import { words } from '#console/app/words.ts';
import { ChipsField } from '#console/parts/fields/chips-field.tsx';
import { Combo } from '#console/parts/fields/combo.tsx';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import { editorFor } from './condition-value.ts';
import { DateEditor } from './date-editor.tsx';
import { isTold, KnownChips, KnownText } from './known-values.tsx';
import { NumberEditor } from './number-editor.tsx';
import { RangeEditor } from './range-editor.tsx';
import { SpanEditor } from './span-editor.tsx';
import { TextEditor } from './text-editor.tsx';
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

/** The value of a condition, by what its operator takes. */
export function ValueEditor(props: ValueEditorProps) {
  const { field, operator, value, vocabulary, isInvalid, describedBy, onChange } = props;
  const editor = editorFor(field, operator);
  const shared = { label: words.filters.value, isInvalid, describedBy };
  switch (editor.kind) {
    case 'none':
      return null;
    case 'text':
      return isTold(field) ? (
        <KnownText {...shared} field={field} value={value} onChange={onChange} />
      ) : (
        <TextEditor {...shared} value={value} onChange={onChange} />
      );
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
      if (isTold(field)) return <KnownChips {...chips} field={field} />;
      const isListed = field.isUuid || field.values !== null;
      const choices = (field.values ?? []).map((choice) => ({ id: choice, label: choice }));
      return (
        <ChipsField
          {...chips}
          items={field.isUuid ? namesFor(field, vocabulary) : choices}
          takesOthers={!isListed}
          placeholder={isListed ? words.filters.chooseValue : words.filters.addValue}
        />
      );
    }
  }
}
