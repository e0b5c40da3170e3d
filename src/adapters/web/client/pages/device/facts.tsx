import type { ReactNode } from 'react';
import styles from './facts.module.css';

export interface Fact {
  readonly label: string;
  /** Null where nothing is known. */
  readonly value: ReactNode;
  /** Where it would come from. */
  readonly hint?: string;
}

/** Labels and values in two columns; what is missing says where it would come from. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
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
