import type { ReactNode } from 'react';
import styles from './checkbox.module.css';

export interface CheckboxProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

export function Checkbox({ children, isSelected, onChange }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input type="checkbox" checked={isSelected} onChange={({ target }) => onChange(target.checked)} />
      <span>{children}</span>
    </label>
  );
}
