import type { ReactNode } from 'react';
import styles from './pair.module.css';

export interface PairProps {
  readonly label: string;
  readonly first: ReactNode;
  /** What stands between the two. */
  readonly between?: string;
  readonly second: ReactNode;
}

/** Two fields that make one value. */
export function Pair({ label, first, between, second }: PairProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in one line in every browser.
    <div role="group" aria-label={label} className={styles.pair}>
      {first}
      {between !== undefined && <span className={styles.between}>{between}</span>}
      {second}
    </div>
  );
}
