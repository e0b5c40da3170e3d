import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { Mark, type Sign } from './mark.tsx';

export interface BadgeProps {
  readonly tone?: 'red' | 'amber' | 'green' | 'blue';
  /** Conveys the state without color. */
  readonly mark?: Sign;
  readonly children: ReactNode;
}

export function Badge({ tone, mark, children }: BadgeProps) {
  return (
    <span className={`${styles.badge} ${tone === undefined ? '' : styles[tone]}`}>
      {mark !== undefined && <Mark sign={mark} />}
      {children}
    </span>
  );
}
