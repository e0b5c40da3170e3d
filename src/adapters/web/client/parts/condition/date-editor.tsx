import { Input } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import {
  dayOf,
  fromLocalField,
  isDay,
  startOfDay,
  toLocalField,
} from '#console/parts/condition/local-dates.ts';
import fieldStyles from '#console/parts/fields/text-field.module.css';
import styles from './date-editor.module.css';
import type { TextEditorProps } from './text-editor.tsx';

/** A day (of UTC, as the API has it), or an instant in the reader's zone. */
export function DateEditor({ label, value, isInvalid, describedBy, onChange }: TextEditorProps) {
  const text = typeof value === 'string' ? value : '';
  const hasTime = text !== '' && !isDay(text);
  const wrong = { 'aria-describedby': describedBy, ...(isInvalid && { 'aria-invalid': true as const }) };
  return (
    <div className={styles.date}>
      {hasTime ? (
        <Input
          {...wrong}
          className={fieldStyles.input}
          aria-label={label}
          type="datetime-local"
          step="any"
          value={toLocalField(text)}
          onChange={(event) => onChange(fromLocalField(event.target.value))}
        />
      ) : (
        <Input
          {...wrong}
          className={fieldStyles.input}
          aria-label={label}
          type="date"
          value={text}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
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
