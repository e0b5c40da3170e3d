import { Link } from '@tanstack/react-router';
import { formatNumber } from '#console/parts/display/format.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './bars.module.css';
import { Card } from './card.tsx';
import type { Figure } from './figures-of.ts';

export interface BarsProps {
  readonly title: string;
  readonly figures: readonly Figure[] | undefined;
  /** How many are shown at most, and kept room for. */
  readonly rows: number;
}

/** Numbers with their share of the largest as a bar. */
export function Bars({ title, figures, rows }: BarsProps) {
  const largest = Math.max(1, ...(figures ?? []).map(({ count }) => count));
  const shown = figures?.slice(0, rows);
  return (
    <Card title={title}>
      <ul className={styles.rows}>
        {shown?.map(({ label, count, q }) => (
          <li key={label}>
            <Link to={'/devices' as '/'} search={{ q } as object} className={styles.barLink}>
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
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
            <li key={row} className={styles.barLink}>
              <Skeleton width="60%" />
            </li>
          ))}
      </ul>
    </Card>
  );
}
