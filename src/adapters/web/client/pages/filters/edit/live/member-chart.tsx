import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useState } from 'react';
import type { MemberCount } from '#adapters/http/api-types.ts';
import { memberCountsQuery } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { formatDateTime, formatNumber } from '#console/parts/display/format.ts';
import { Time } from '#console/parts/display/time.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { scaleOf } from './chart-scale.ts';
import styles from './live.module.css';

const said = words.live;

export function MemberChart({ filterId }: { readonly filterId: string }) {
  const { data: counts, error, refetch } = useQuery(memberCountsQuery(useApi(), filterId));
  const last = counts?.at(-1);
  return (
    <TitledCard title={said.members} action={last !== undefined && <strong>{said.now(last.count)}</strong>}>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {counts === undefined ? (
        error === null && (
          <div className={styles.waiting}>
            <Skeleton width="60%" />
          </div>
        )
      ) : counts.length < 2 ? (
        <p className="soft">{said.soon}</p>
      ) : (
        <>
          <Chart counts={counts} />
          <CountTable counts={counts} />
        </>
      )}
    </TitledCard>
  );
}

/** In pixels. */
const CHART_HEIGHT = 180;

/** In units of the SVG drawing, which is stretched to the card. */
const WIDTH = 1_000;

function Chart({ counts }: { readonly counts: readonly MemberCount[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const instants = counts.map(({ at }) => Date.parse(at));
  const [first = 0, last = 0] = [instants[0], instants.at(-1)];
  const values = counts.map(({ count }) => count);
  const { low, high, ticks } = scaleOf(values);
  const x = (instant: number) => ((instant - first) / Math.max(1, last - first)) * WIDTH;
  const y = (count: number) => CHART_HEIGHT - ((count - low) / (high - low)) * CHART_HEIGHT;
  const points = counts.map(({ count }, i) => `${x(instants[i] ?? 0).toFixed(1)},${y(count).toFixed(1)}`);
  const format = formatOf(first, last);
  const shown = pointed === null ? undefined : counts[pointed];

  function point({ currentTarget, clientX }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    const instant = first + ((clientX - left) / width) * (last - first);
    const after = instants.findIndex((each) => each >= instant);
    setPointed(after === -1 ? counts.length - 1 : after);
  }

  return (
    <div className={styles.chart}>
      <div className={styles.ticks} style={{ minWidth: `${formatNumber(high).length}ch` }} aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ insetBlockStart: `${(y(tick) / CHART_HEIGHT) * 100}%` }}>
            {formatNumber(tick)}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={said.summary({
          from: formatDateTime(new Date(first)),
          to: formatDateTime(new Date(last)),
          least: Math.min(...values),
          most: Math.max(...values),
          last: values.at(-1) ?? 0,
        })}
        viewBox={`0 0 ${WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        height={CHART_HEIGHT}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick) => (
          <line key={tick} className={styles.grid} x1="0" x2={WIDTH} y1={y(tick)} y2={y(tick)} />
        ))}
        <polygon
          className={styles.area}
          points={`0,${CHART_HEIGHT} ${points.join(' ')} ${WIDTH},${CHART_HEIGHT}`}
        />
        <polyline className={styles.line} points={points.join(' ')} />
        {shown !== undefined && (
          <line
            className={styles.pointer}
            x1={x(Date.parse(shown.at))}
            x2={x(Date.parse(shown.at))}
            y1="0"
            y2={CHART_HEIGHT}
          />
        )}
      </svg>
      <div className={styles.span} aria-hidden="true">
        <Time at={new Date(first).toISOString()} as={format} />
        {shown !== undefined && (
          <strong>
            {said.now(shown.count)} · {formatDateTime(new Date(shown.at))}
          </strong>
        )}
        <Time at={new Date(last).toISOString()} as={format} />
      </div>
    </div>
  );
}

const MOST_ROWS = 100;

type Format = 'timeOfDay' | 'dateTime' | 'date';

function formatOf(first: number, last: number): Format {
  if (last - first < HOUR_MS) return 'timeOfDay';
  return last - first < 2 * DAY_MS ? 'dateTime' : 'date';
}

function columnsFor(format: Format): readonly Column<MemberCount>[] {
  return [
    { id: 'when', title: said.when, isMain: true, cell: ({ at }) => <Time at={at} as={format} /> },
    {
      id: 'devices',
      title: said.devices,
      align: 'end',
      fits: true,
      cell: ({ count }) => formatNumber(count),
    },
  ];
}

function CountTable({ counts }: { readonly counts: readonly MemberCount[] }) {
  const [first = '', last = ''] = [counts[0]?.at, counts.at(-1)?.at];
  const format = formatOf(Date.parse(first), Date.parse(last));
  const changed = counts.filter(({ count }, i) => count !== counts[i - 1]?.count).reverse();
  return (
    <details className={styles.table}>
      <summary>{said.asTable}</summary>
      <DataTable
        label={said.members}
        columns={columnsFor(format === 'date' ? 'dateTime' : format)}
        rows={changed.slice(0, MOST_ROWS)}
        keyOf={({ at }) => at}
      />
      {changed.length > MOST_ROWS && <p className="note">{said.shownChanges(MOST_ROWS)}</p>}
    </details>
  );
}
