import { Link } from '@tanstack/react-router';
import { LANGUAGES } from '#console/app/languages.ts';
import { words } from '#console/app/words.ts';
import { DeviceStatus } from '#console/parts/display/device-status.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { DEVICE_STATUSES } from '#domain/device/device.ts';
import row from './dashboard-page.module.css';
import { Card } from './figures.tsx';
import type { StatusFigure } from './figures-of.ts';
import styles from './status-ring.module.css';

/** In units of the SVG drawing. */
const RADIUS = 42;

const GAP = 0.8;

const PERCENT = new Intl.NumberFormat(LANGUAGES, { style: 'percent', maximumFractionDigits: 0 });

export function StatusRing({ figures }: { readonly figures: readonly StatusFigure[] | undefined }) {
  const total = figures?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const online = figures?.find(({ status }) => status === 'online')?.count ?? 0;
  return (
    <Card title={words.dashboard.byStatus}>
      <div className={styles.place}>
        <div className={styles.ringAndRows}>
          <svg viewBox="0 0 100 100" className={styles.ring} aria-hidden="true" focusable="false">
            <circle cx="50" cy="50" r={RADIUS} className={styles.track} />
            {arcsOf(figures ?? [], total).map(({ status, start, length }) => (
              <circle
                key={status}
                cx="50"
                cy="50"
                r={RADIUS}
                pathLength={100}
                strokeDasharray={`${length} ${100 - length}`}
                strokeDashoffset={25 - start}
                className={`${styles.arc} ${styles[status]}`}
              />
            ))}
            {total > 0 && (
              <>
                <text x="50" y="46" className={styles.share}>
                  {PERCENT.format(online / total)}
                </text>
                <text x="50" y="62" className={styles.shareLabel}>
                  {words.dashboard.online}
                </text>
              </>
            )}
          </svg>
          <ul className={styles.rows}>
            {figures?.map(({ status, count, q }) => (
              <li key={status}>
                <Link to="/devices" search={{ q }} className={`${row.barLink} ${row.dense}`}>
                  <DeviceStatus status={status} />
                  <span className={row.number}>{formatNumber(count)}</span>
                </Link>
              </li>
            )) ??
              DEVICE_STATUSES.map((status) => (
                <li key={status} className={`${row.barLink} ${row.dense}`}>
                  <Skeleton width="60%" />
                </li>
              ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}

interface Arc {
  readonly status: StatusFigure['status'];
  readonly start: number;
  readonly length: number;
}

/** A single arc has no gap, so the ring is closed. */
function arcsOf(figures: readonly StatusFigure[], total: number): readonly Arc[] {
  const present = figures.filter(({ count }) => count > 0);
  const gap = present.length > 1 ? GAP : 0;
  let start = 0;
  return present.map(({ status, count }) => {
    const share = (count / total) * 100;
    const arc = { status, start, length: Math.max(share - gap, 0.4) };
    start += share;
    return arc;
  });
}
