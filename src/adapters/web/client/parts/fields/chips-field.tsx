import { words } from '#console/app/words.ts';
import { Chip } from '#console/parts/display/chip.tsx';
import styles from './chips-field.module.css';
import { Combo, type ComboItem } from './combo.tsx';

export interface ChipsFieldProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** With `takesOthers`, the items are only suggestions. */
  readonly items: readonly ComboItem[];
  readonly onType?: (text: string) => void;
  readonly isAsking?: boolean;
  readonly takesOthers: boolean;
  readonly placeholder?: string;
  readonly isInvalid?: boolean;
  readonly hasFocusAtFirst?: boolean;
  readonly describedBy?: string | undefined;
}

export function ChipsField(props: ChipsFieldProps) {
  const { label, values, onChange, items, takesOthers, placeholder = '' } = props;
  const labels = new Map(items.map((item) => [item.id, item.label]));
  const add = (added: readonly string[]) => onChange([...new Set([...values, ...added])]);
  return (
    <div className={styles.field} data-invalid={props.isInvalid === true || undefined}>
      {values.map((value, i) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: a loaded filter may contain a value twice.
          key={i}
          isInField
          removal={{
            label: words.filters.removeValue(labels.get(value) ?? value),
            onRemove: () => onChange(values.filter((_, at) => at !== i)),
          }}
        >
          {labels.get(value) ?? value}
        </Chip>
      ))}
      <Combo
        label={label}
        value={null}
        items={items.filter(({ id }) => !values.includes(id))}
        onChange={(id) => add([id])}
        {...(props.onType !== undefined && { onType: props.onType })}
        {...(props.isAsking !== undefined && { isAsking: props.isAsking })}
        onBackspace={() => onChange(values.slice(0, -1))}
        {...(takesOthers && {
          onOther: (text: string) => add([text]),
          onPasteLines: (lines: readonly string[]) => add(lines.map((line) => line.trim())),
        })}
        {...(!takesOthers && { emptyText: words.filters.noChoice })}
        placeholder={values.length === 0 ? placeholder : ''}
        isBare
        isInvalid={props.isInvalid === true}
        hasFocusAtFirst={props.hasFocusAtFirst === true}
        describedBy={props.describedBy}
      />
    </div>
  );
}
