import { words } from '#console/app/words.ts';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import type { Column } from './columns.tsx';
import styles from './sort-header.module.css';

export interface SortHeaderProps {
  readonly column: Column;
  readonly sort: DeviceSort;
  /** Null: the usual order. */
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly className: string | undefined;
}

/** The head of a column: once sorts by it, twice the other way round, a third time as usual. */
export function SortHeader({ column: { id, sortKey }, sort, onSort, className }: SortHeaderProps) {
  const title = words.devices.column[id];
  if (sortKey === null) {
    return (
      <th scope="col" className={`${styles.head} ${className ?? ''}`}>
        {title}
      </th>
    );
  }
  const isSorted = sort.key === sortKey;
  const direction = sort.isDescending ? 'descending' : 'ascending';
  const next = !isSorted
    ? { key: sortKey, isDescending: false }
    : sort.isDescending
      ? null
      : { key: sortKey, isDescending: true };
  return (
    <th
      scope="col"
      className={`${styles.head} ${className ?? ''}`}
      {...(isSorted && { 'aria-sort': direction })}
    >
      <button type="button" onClick={() => onSort(next)}>
        {title}
        <span aria-hidden="true">{isSorted ? (sort.isDescending ? '▼' : '▲') : ''}</span>
      </button>
    </th>
  );
}
