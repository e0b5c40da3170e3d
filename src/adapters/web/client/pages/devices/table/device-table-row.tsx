import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, memo } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import type { DeviceSelection } from '#console/pages/devices/selection/use-selection.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, type ListedDevice, nameOf, type RowContext } from './columns.tsx';
import styles from './device-table.module.css';

export interface DeviceTableRowProps extends RowContext {
  readonly index: number;
  readonly row: ListedDevice | undefined;
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
    // `link.href` keeps the search parameter `org`.
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
      onKeyDown={moveInRow}
    >
      <td className={styles.selection}>
        <label>
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={words.devices.select(nameOf(row))}
            // The space bar also sends a click, which has the state of Shift.
            onChange={({ nativeEvent }) =>
              onSelect(row, index, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
            }
          />
        </label>
      </td>
      {columns.map(({ id, render }) => {
        const content = id === 'name' ? null : render(row, { organizations });
        return (
          <td
            key={id}
            className={styles[id]}
            tabIndex={-1}
            {...(typeof content === 'string' && { title: content })}
          >
            {id === 'name' ? (
              <>
                <Link
                  id={linkId(row)}
                  to="/devices/$id"
                  params={{ id: row.id }}
                  title={row.displayName === null ? row.hostname : `${row.displayName} (${row.hostname})`}
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

/** Arrow keys move between cells. A focused cell shows its whole text. */
function moveInRow(event: KeyboardEvent<HTMLTableRowElement>): void {
  const { key, currentTarget, target } = event;
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : null;
  if (step === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const cells = [...currentTarget.cells];
  const at = cells.findIndex((cell) => cell.contains(target as Node));
  const next = cells[at + step];
  if (next === undefined) return;
  event.preventDefault();
  (next.querySelector<HTMLElement>('a, input') ?? next).focus();
}

export function linkId({ id }: DeviceRow): string {
  return `device-${id}`;
}
