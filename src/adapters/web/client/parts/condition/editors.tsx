import { type ChangeEvent, type ReactNode, useState } from 'react';
import { Input } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { Dropdown } from '#console/parts/fields/dropdown.tsx';
import fieldStyles from '#console/parts/fields/text-field.module.css';
import { TIME_UNITS } from '#domain/filter/values/time-span.ts';
import { readNumber } from './condition-value.ts';
import styles from './editors.module.css';
import { dayOf, fromLocalField, isDay, startOfDay, toLocalField } from './local-dates.ts';

export interface TextEditorProps {
  readonly label: string;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: unknown) => void;
}

export function TextEditor(props: TextEditorProps) {
  const { value, onChange } = props;
  return (
    <Input
      {...inputProps(props)}
      spellCheck={false}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(textOf(event))}
    />
  );
}

function inputProps({ label, isInvalid, describedBy }: Omit<TextEditorProps, 'value' | 'onChange'>) {
  return {
    className: `control ${fieldStyles.input}`,
    'aria-label': label,
    'aria-describedby': describedBy,
    ...(isInvalid && { 'aria-invalid': true as const }),
  };
}

function textOf({ target: { value } }: ChangeEvent<HTMLInputElement>): string | undefined {
  return value === '' ? undefined : value;
}

export function NumberEditor(props: TextEditorProps) {
  const { value, onChange } = props;
  // Keeps the typed text, because `1.` and `1.0` both mean 1 and would turn into `1`.
  const [typed, setTyped] = useState<string | null>(null);
  const given = value === undefined ? '' : String(value);
  const text = typed !== null && readNumber(typed) === value ? typed : given;
  return (
    <Input
      {...inputProps(props)}
      inputMode="decimal"
      value={text}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(readNumber(event.target.value));
      }}
    />
  );
}

const WHOLE_FLEET = 100;

export function RingEditor(props: TextEditorProps) {
  const { value, onChange } = props;
  const share = typeof value === 'number' ? Math.min(Math.max(value, 0), WHOLE_FLEET) : 0;
  return (
    <div className={styles.ring}>
      <input
        type="range"
        min={0}
        max={WHOLE_FLEET}
        aria-label={words.filters.ring}
        aria-valuetext={words.filters.ringShare(share)}
        value={share}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
      <NumberEditor {...props} />
      <span>{words.filters.percent}</span>
    </div>
  );
}

/** Edits a day in UTC, as in the API, or an instant in the reader's time zone. */
export function DateEditor(props: TextEditorProps) {
  const { value, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const hasTime = text !== '' && !isDay(text);
  return (
    <div className={styles.date}>
      {hasTime ? (
        <Input
          {...inputProps(props)}
          type="datetime-local"
          step="any"
          value={toLocalField(text)}
          onChange={(event) => onChange(fromLocalField(event.target.value))}
        />
      ) : (
        <Input
          {...inputProps(props)}
          type="date"
          value={text}
          onChange={(event) => onChange(textOf(event))}
        />
      )}
      {text !== '' && (
        <label className={styles.time}>
          <input
            type="checkbox"
            checked={hasTime}
            onChange={(event) => onChange(event.target.checked ? startOfDay(text) : dayOf(text))}
          />
          {words.filters.time}
        </label>
      )}
    </div>
  );
}

interface PairProps {
  readonly label: string;
  readonly first: ReactNode;
  readonly between?: string;
  readonly second: ReactNode;
}

export function Pair({ label, first, between, second }: PairProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line in every browser.
    <div role="group" aria-label={label} className={styles.pair}>
      {first}
      {between !== undefined && <span className={styles.between}>{between}</span>}
      {second}
    </div>
  );
}

interface RangeEditorProps extends TextEditorProps {
  readonly of: 'number' | 'date' | 'text';
}

export function RangeEditor({ label, of, value, isInvalid, describedBy, onChange }: RangeEditorProps) {
  const { from, to } = membersOf(value);
  const shared = { isInvalid, describedBy };
  const Editor = { number: NumberEditor, date: DateEditor, text: TextEditor }[of];
  return (
    <Pair
      label={label}
      first={
        <Editor
          {...shared}
          label={words.filters.from}
          value={from}
          onChange={(next) => onChange({ from: next, to })}
        />
      }
      between={words.filters.and}
      second={
        <Editor
          {...shared}
          label={words.filters.to}
          value={to}
          onChange={(next) => onChange({ from, to: next })}
        />
      }
    />
  );
}

export function SpanEditor({ label, value, isInvalid, describedBy, onChange }: TextEditorProps) {
  const { amount, unit } = membersOf(value);
  return (
    <Pair
      label={label}
      first={
        <NumberEditor
          label={words.filters.amount}
          value={amount}
          isInvalid={isInvalid}
          describedBy={describedBy}
          onChange={(next) => onChange({ amount: next, unit: unit ?? 'days' })}
        />
      }
      second={
        <Dropdown
          label={words.filters.unit}
          isLabelHidden
          value={String(unit ?? 'days')}
          onChange={(next) => onChange({ amount, unit: next })}
        >
          {!TIME_UNITS.some((one) => one === (unit ?? 'days')) && (
            <option value={String(unit)}>{String(unit)}</option>
          )}
          {TIME_UNITS.map((one) => (
            <option key={one} value={one}>
              {words.filters.units[one]}
            </option>
          ))}
        </Dropdown>
      }
    />
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
