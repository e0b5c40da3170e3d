import { type ReactNode, useId } from 'react';
import card from '#console/parts/layout/card.module.css';
import styles from './card.module.css';

/** A part of the dashboard, named by its heading. */
export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={card.card} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
