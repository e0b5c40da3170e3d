import { Link, useNavigate } from '@tanstack/react-router';
import { type MouseEvent, memo } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import type { DeviceSelection } from '#console/pages/devices/selection/use-selection.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import { type Column, nameOf, type RowContext } from './columns.tsx';
import styles from './device-table.module.css';

export interface DeviceTableRowProps extends RowContext {
  readonly index: number;
  readonly row: DeviceRow | undefined;
  readonly height: number;
  readonly columns: readonly Column[];
  readonly isCurrent: boolean;
  readonly onCurrent: (index: number) => void;
  readonly isSelected: boolean;
  readonly onSelect: DeviceSelection['toggle'];
}

/** Memoized, because scrolling renders the table many times a second. */
export const DeviceTableRow = memo(function DeviceTableRow(props: DeviceTableRowProps) {
  const { index, row, height, columns, organizations, isCurrent, onCurrent, isSelected, onSelect } = props;
  const navigate = useNavigate();
  if (row === undefined) {
    return (
      <tr aria-rowindex={index + 2} aria-busy="true" style={{ height }}>
        <td className={styles.selection} />
        {columns.map(({ id }) => (
          <td key={id} className={styles[id]}>
            <Skeleton width="70%" />
          </td>
        ))}
      </tr>
    );
  }
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, input, label') !== null;
    const isMarkingText = window.getSelection()?.isCollapsed === false;
    if (isOnControl || isMarkingText) return;
    const link = event.currentTarget.querySelector('a');
    // The link's address keeps the organization that the list is narrowed to.
    if ((event.ctrlKey || event.metaKey) && link !== null) window.open(link.href, '_blank', 'noopener');
    else void navigate({ to: '/devices/$id', params: { id: row.id } });
  };
  return (
    <tr
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
      style={{ height }}
      onClick={open}
    >
      <td className={styles.selection}>
        <label>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={words.devices.select(nameOf(row))}
            // The event is a click, also by the space bar.
            onChange={({ nativeEvent }) =>
              onSelect(row, index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
            }
          />
        </label>
      </td>
      {columns.map(({ id, render }) => {
        const content = id === 'name' ? null : render(row, { organizations });
        return (
          <td key={id} className={styles[id]} {...(typeof content === 'string' && { title: content })}>
            {id === 'name' ? (
              <>
                <Link
                  id={linkId(row)}
                  to="/devices/$id"
                  params={{ id: row.id }}
                  title={nameOf(row)}
                  onFocus={() => onCurrent(index)}
                >
                  {nameOf(row)}
                </Link>
                {row.displayName !== null && <span className={styles.hostname}>{row.hostname}</span>}
              </>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
});

export function linkId({ id }: DeviceRow): string {
  return `device-${id}`;
}

interface SortHeaderProps {
  readonly column: Column;
  readonly sort: DeviceSort;
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly className: string | undefined;
}

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
