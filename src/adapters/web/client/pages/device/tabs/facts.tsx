import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  readonly label: string;
  /** Null where nothing is known. */
  readonly value: ReactNode;
  /** Where it would come from. */
  readonly hint?: string;
}

export interface FactsProps {
  readonly facts: readonly Fact[];
  /** Whether there is room for a third column, as values are short. */
  readonly isDense?: boolean;
}

/** Labels and values in columns; what is missing says where it would come from. */
export function Facts({ facts, isDense = false }: FactsProps) {
  return (
    <dl className={`${styles.facts} ${isDense ? styles.dense : ''}`}>
      {facts.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value ?? (
              <span className="soft" title={hint}>
                —{hint !== undefined && <span className="visually-hidden">{hint}</span>}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
