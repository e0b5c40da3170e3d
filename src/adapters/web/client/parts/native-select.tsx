import { useId } from 'react';
import { Icon } from './icon.tsx';
import styles from './native-select.module.css';

export interface NativeSelectProps<T extends string> {
  readonly label: string;
  /** In the order in which they stand. */
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a list that is known, by the control of the browser itself: a combobox to whoever uses a screen reader. */
export function NativeSelect<T extends string>({ label, options, value, onChange }: NativeSelectProps<T>) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.control}>
        <select
          id={id}
          className={styles.select}
          value={value}
          onChange={({ target }) => onChange(target.value as T)}
        >
          {Object.entries<string>(options).map(([option, title]) => (
            <option key={option} value={option}>
              {title}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </div>
    </div>
  );
}
