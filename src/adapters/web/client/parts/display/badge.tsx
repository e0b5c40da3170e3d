import type { ReactNode } from 'react';
import styles from './badge.module.css';

export interface BadgeProps {
  /** A state; default: grey, for what is none. */
  readonly tone?: 'red' | 'amber' | 'green' | 'blue' | 'violet';
  /** A shape that tells it apart without its colour. */
  readonly mark?: string;
  readonly children: ReactNode;
}

/** A word for a state. */
export function Badge({ tone, mark, children }: BadgeProps) {
  return (
    <span className={`${styles.badge} ${tone === undefined ? '' : styles[tone]}`}>
      {mark !== undefined && <span aria-hidden="true">{mark}</span>}
      {children}
    </span>
  );
}
