import { words } from '#console/app/words.ts';
import { textOfActual } from '#console/pages/filters/tree/actual-text.ts';
import type { NodeNote } from '#console/pages/filters/tree/node-notes.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import styles from './node-count.module.css';

/** How many devices a node matches by itself, its share as a bar, and what a chosen device has there. */
export function NodeCount({ note }: { readonly note: NodeNote | null | undefined }) {
  if (note === null) return null;
  if (note === undefined) return <div className={styles.count} />;
  const { count, total, effect, device } = note;
  const share = total === 0 ? 0 : count / total;
  return (
    <div className={styles.count}>
      {device !== null && (
        <span className={device.matches ? styles.in : styles.out}>
          <span aria-hidden="true">{device.matches ? '✓' : '✗'}</span>
          <span className="visually-hidden">
            {device.matches ? words.filters.matchesHere : words.filters.matchesNotHere}
          </span>
          {device.actual !== undefined && (
            <span className={styles.actual} title={textOfActual(device.actual)}>
              {textOfActual(device.actual)}
            </span>
          )}
        </span>
      )}
      {effect?.kind === 'idle' && (
        <span className={styles.idle} title={words.filters.changesNothingHint}>
          {words.filters.changesNothing}
        </span>
      )}
      {effect?.kind === 'empties' && (
        <span className={styles.empties} title={words.filters.emptiesHint(effect.without)}>
          {words.filters.without(effect.without)}
        </span>
      )}
      <span className={styles.number} title={words.filters.alone(count)}>
        <span aria-hidden="true">{formatNumber(count)}</span>
        <span className="visually-hidden">{words.filters.alone(count)}</span>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </span>
    </div>
  );
}
