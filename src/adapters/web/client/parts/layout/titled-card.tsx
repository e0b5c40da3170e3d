import { type ReactNode, useId } from 'react';
import card from './card.module.css';
import styles from './titled-card.module.css';

export interface TitledCardProps {
  readonly title: string;
  /** Beside the title. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function TitledCard({ title, action, children }: TitledCardProps) {
  const id = useId();
  return (
    <section className={card.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
