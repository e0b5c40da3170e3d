import { type ReactNode, useId } from 'react';
import styles from './dropdown.module.css';

export interface DropdownProps {
  readonly label: string;
  /** Whether the label is for screen readers alone, as what stands around says it. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
  readonly isDisabled?: boolean;
  readonly isCompact?: boolean;
  readonly describedBy?: string | undefined;
  /** `option` and `optgroup`. */
  readonly children: ReactNode;
}

/** One of a few, as the browser's own combobox: the quickest by keyboard and by thumb. */
export function Dropdown(props: DropdownProps) {
  const { label, isLabelHidden = false, value, onChange, isInvalid = false, isDisabled = false } = props;
  const id = useId();
  const select = (
    <select
      id={id}
      className={`${styles.select} ${props.isCompact === true ? styles.compact : ''}`}
      value={value}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.value)}
      {...(isLabelHidden && { 'aria-label': label })}
      {...(isInvalid && { 'aria-invalid': true })}
      {...(props.describedBy !== undefined && { 'aria-describedby': props.describedBy })}
    >
      {props.children}
    </select>
  );
  if (isLabelHidden) return select;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {select}
    </div>
  );
}
