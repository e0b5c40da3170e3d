import { Label, Radio, RadioGroup } from 'react-aria-components';
import styles from './choice.module.css';

export interface ChoiceProps<T extends string> {
  readonly label: string;
  /** In the order in which they stand. */
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of two to four, all in sight. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <RadioGroup
      className={styles.choice}
      orientation="horizontal"
      value={value}
      onChange={(chosen) => onChange(chosen as T)}
    >
      <Label className={styles.label}>{label}</Label>
      <div className={styles.options}>
        {Object.entries<string>(options).map(([option, title]) => (
          <Radio key={option} value={option} className={styles.option}>
            {title}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
