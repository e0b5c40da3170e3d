import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './facts.module.css';

/** The value is undefined while it is loading. */
export type Fact = readonly [title: string, value: ReactNode];

export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([title, value]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd>{value === undefined ? <Skeleton width={160} /> : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
