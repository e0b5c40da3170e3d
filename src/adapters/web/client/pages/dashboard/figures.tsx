import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { formatNumber } from '#console/parts/display/format.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import card from '#console/parts/layout/card.module.css';
import styles from './dashboard-page.module.css';
import type { Figure } from './figures-of.ts';

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

interface TileProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly target: { readonly to: string; readonly search?: object };
  readonly tone?: 'bad' | 'warning';
  /** A second figure with its own link. */
  readonly note?: ReactNode;
}

export function Tile({ label, count, target, tone, note }: TileProps) {
  const mood = tone !== undefined && count !== undefined && count > 0 ? styles[tone] : '';
  return (
    <li className={styles.tile}>
      <Link
        to={target.to as '/'}
        search={(target.search ?? {}) as object}
        className={`${styles.tileLink} ${mood}`}
      >
        <span className={styles.figure}>
          {count === undefined ? <Skeleton width={56} /> : formatNumber(count)}
        </span>
        <span className={styles.label}>{label}</span>
      </Link>
      {note}
    </li>
  );
}

interface BarsProps {
  readonly title: string;
  readonly figures: readonly Figure[] | undefined;
  readonly rows: number;
}

export function Bars({ title, figures, rows }: BarsProps) {
  const largest = Math.max(1, ...(figures ?? []).map(({ count }) => count));
  const shown = figures?.slice(0, rows);
  return (
    <Card title={title}>
      <ul className={styles.rows}>
        {shown?.map(({ label, count, q }) => (
          <li key={label}>
            <Link to="/devices" search={{ q }} className={styles.barLink}>
              <span>{label}</span>
              <span className={styles.number}>{formatNumber(count)}</span>
              <svg className={styles.bar} aria-hidden="true" focusable="false">
                <rect width="100%" height="4" rx="2" className={styles.barTrack} />
                {count > 0 && (
                  <rect
                    width={`${Math.max((count / largest) * 100, 1)}%`}
                    height="4"
                    rx="2"
                    className={styles.barFill}
                  />
                )}
              </svg>
            </Link>
          </li>
        )) ??
          Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all alike.
            <li key={row} className={styles.barLink}>
              <Skeleton width="60%" />
            </li>
          ))}
      </ul>
    </Card>
  );
}
