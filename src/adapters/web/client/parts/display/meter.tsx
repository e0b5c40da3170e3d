import { formatPercent } from './format.ts';
import styles from './meter.module.css';

const HIGH_PERCENT = 90;

export function Meter({
  percent,
  isCompact = false,
}: {
  readonly percent: number;
  readonly isCompact?: boolean;
}) {
  const isHigh = percent >= HIGH_PERCENT;
  return (
    <span className={`${styles.meter} ${isCompact ? styles.compact : ''}`} data-high={isHigh || undefined}>
      <span className={styles.number} data-fit="">
        {formatPercent(percent)}
      </span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.bar} style={{ width: `${Math.min(Math.max(percent, 0), 100)}%` }} />
      </span>
    </span>
  );
}
