import { Link } from '@tanstack/react-router';
import { formatNumber } from '#console/parts/display/format.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './tile.module.css';

export interface TileProps {
  readonly label: string;
  /** Undefined while it loads. */
  readonly count: number | undefined;
  readonly target: { readonly to: string; readonly search?: object };
  /** How a number above zero is taken. */
  readonly tone?: 'bad' | 'warning';
}

/** A number that leads to what it counts. */
export function Tile({ label, count, target, tone }: TileProps) {
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
    </li>
  );
}
