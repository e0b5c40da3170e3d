import type { ReactNode } from 'react';
import styles from './empty.module.css';

export interface EmptyProps {
  readonly title: string;
  /** What would fill it. */
  readonly text: ReactNode;
  /** The way to that. */
  readonly children?: ReactNode;
}

/** Where a list has nothing in it. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <div className={styles.text}>{text}</div>
      {children}
    </div>
  );
}
