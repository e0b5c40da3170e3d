import { type ReactNode, useId } from 'react';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './dropdown.module.css';
import fieldStyles from './text-field.module.css';

export interface DropdownProps<T extends string> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly isInvalid?: boolean;
  readonly error?: string | null;
  readonly isDisabled?: boolean;
  readonly isCompact?: boolean;
  readonly describedBy?: string | undefined;
  /** `option` elements. */
  readonly children: ReactNode;
}

/** A native select works best with keyboard and touch. */
export function Dropdown<T extends string>(props: DropdownProps<T>) {
  const { label, isLabelHidden = false, value, onChange, error = null, isDisabled = false } = props;
  const { isInvalid = error !== null, describedBy } = props;
  const [id, errorId] = [useId(), useId()];
  const control = (
    <div className={`${styles.frame} ${props.isCompact === true ? styles.compact : ''}`}>
      <select
        id={id}
        className={`control ${styles.select}`}
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value as T)}
        {...(isLabelHidden && { 'aria-label': label })}
        {...(isInvalid && { 'aria-invalid': true })}
        aria-describedby={error === null ? describedBy : errorId}
      >
        {props.children}
      </select>
      <Icon name="down" />
    </div>
  );
  if (isLabelHidden) return control;
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      {control}
      {error !== null && (
        <span id={errorId} role="alert" className={fieldStyles.error}>
          {error}
        </span>
      )}
    </div>
  );
}

export function optionsOf(titles: Readonly<Record<string, string>>): ReactNode {
  return Object.entries(titles).map(([value, title]) => (
    <option key={value} value={value}>
      {title}
    </option>
  ));
}
