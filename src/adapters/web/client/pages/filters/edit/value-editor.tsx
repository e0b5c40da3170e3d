import { words } from '#console/app/words.ts';
import { editorFor } from '#console/pages/filters/tree/condition-value.ts';
import { ChipsField } from '#console/parts/chips-field.tsx';
import { Dropdown } from '#console/parts/dropdown.tsx';
import type { FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { Operator } from '#domain/filter/catalog/operator.ts';
import { useBuilder } from './builder-context.ts';
import { DateEditor } from './date-editor.tsx';
import { NumberEditor } from './number-editor.tsx';
import { RangeEditor } from './range-editor.tsx';
import { SpanEditor } from './span-editor.tsx';
import { TextEditor } from './text-editor.tsx';

export interface ValueEditorProps {
  readonly field: FilterField;
  readonly operator: Operator;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The value of a condition, by what its operator takes. */
export function ValueEditor(props: ValueEditorProps) {
  const { field, operator, value, isInvalid, describedBy, onChange } = props;
  const { namesOf } = useBuilder();
  const editor = editorFor(field, operator);
  const label = words.filters.value;
  const shared = { label, isInvalid, describedBy };
  const choices = field.isUuid
    ? namesOf(field)
    : (field.values ?? []).map((choice) => ({ id: choice, label: choice }));
  switch (editor.kind) {
    case 'none':
      return null;
    case 'text':
      return <TextEditor {...shared} value={value} onChange={onChange} />;
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
      return (
        <Dropdown {...shared} isLabelHidden value={chosen} onChange={onChange}>
          {!choices.some(({ id }) => id === chosen) && (
            <option value={chosen} disabled={chosen === ''}>
              {chosen === '' ? words.filters.chooseValue : chosen}
            </option>
          )}
          {choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {choice.label}
            </option>
          ))}
        </Dropdown>
      );
    }
    case 'chips':
      return (
        <ChipsField
          {...shared}
          values={Array.isArray(value) ? value.map(String) : []}
          onChange={(values) => onChange(values.length === 0 ? undefined : values)}
          items={choices}
          takesOthers={field.values === null && !field.isUuid}
          placeholder={choices.length > 0 ? words.filters.chooseValue : words.filters.addValue}
        />
      );
  }
}
