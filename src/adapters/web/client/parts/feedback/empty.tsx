import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  readonly text: ReactNode;
  readonly children?: ReactNode;
}

export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <div className={styles.text}>{text}</div>
      {children}
    </div>
  );
}
