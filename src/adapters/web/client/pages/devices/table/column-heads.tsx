import { useEffect, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import type { DeviceSelection } from '#console/pages/devices/selection/use-selection.ts';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import { ColumnHead, edgeId } from './column-head.tsx';
import { type Column, FIXED_COLUMNS } from './columns.tsx';
import styles from './device-table.module.css';
import type { ColumnLayout } from './use-column-layout.ts';

export interface ColumnHeadsProps {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly sort: DeviceSort;
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly layout: ColumnLayout;
  readonly onLayout: (changes: Partial<ColumnLayout>) => void;
  readonly selection: DeviceSelection;
  readonly count: number;
}

export function ColumnHeads(props: ColumnHeadsProps) {
  const { columns, widths, sort, onSort, layout, onLayout, selection, count } = props;
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const [moved, setMoved] = useState<{ readonly id: string; readonly text: string } | null>(null);
  const heads = useRef<HTMLTableCellElement>(null);
  const ids = columns.map(({ id }) => id);

  // Moving a column in the DOM blurs its edge, so the edge is focused again.
  useEffect(() => {
    if (moved !== null) document.getElementById(edgeId(moved.id))?.focus();
  }, [moved]);

  function move(id: string, to: number) {
    const place = Math.min(Math.max(to, FIXED_COLUMNS.length), columns.length - 1);
    const column = columns.find((one) => one.id === id);
    if (column === undefined || FIXED_COLUMNS.includes(id) || place === ids.indexOf(id)) return;
    onLayout({ ids: ids.filter((one) => one !== id).toSpliced(place, 0, id) });
    setMoved({ id, text: words.devices.movedTo(column.title, place + 1, columns.length) });
  }

  /** Also fixes the widths of all columns to the left, so the edge stays under the pointer. */
  function resize(index: number, width: number | null) {
    const { id = '' } = columns[index] ?? {};
    if (width === null) {
      const { [id]: _, ...others } = layout.widths;
      return onLayout({ widths: others });
    }
    const before = columns.slice(0, index).map((column, i) => [column.id, widths[i] ?? column.width]);
    onLayout({ widths: { ...layout.widths, ...Object.fromEntries(before), [id]: width } });
  }

  function placeAt(x: number): number {
    const cells = [...(heads.current?.parentElement?.children ?? [])].slice(1);
    const place = cells.findIndex((cell) => cell.getBoundingClientRect().right > x);
    return Math.max(place === -1 ? columns.length - 1 : place, FIXED_COLUMNS.length);
  }

  return (
    <>
      <th ref={heads} scope="col" className={styles.selection}>
        <SelectAll selection={selection} count={count} />
        <span role="status" className="visually-hidden">
          {moved?.text}
        </span>
      </th>
      {columns.map((column, i) => (
        <ColumnHead
          key={column.id}
          column={column}
          width={widths[i] ?? column.width}
          sort={sort}
          onSort={onSort}
          className={styles[column.id]}
          onResize={(width) => resize(i, width)}
          onMove={(step) => move(column.id, i + step)}
          onDrag={(x) => setDrag(x === null ? null : { from: i, to: placeAt(x) })}
          onDrop={(x) => move(column.id, placeAt(x))}
          drop={drag?.to !== i || drag.from === i ? null : drag.from < i ? 'after' : 'before'}
        />
      ))}
    </>
  );
}

interface SelectAllProps {
  readonly selection: DeviceSelection;
  readonly count: number;
}

function SelectAll({ selection, count }: SelectAllProps) {
  const { isAll } = selection;
  return (
    <label>
      <input
        type="checkbox"
        ref={(box) => {
          if (box !== null) box.indeterminate = !isAll && selection.count > 0;
        }}
        checked={isAll}
        disabled={count === 0}
        aria-label={words.bulk.selectAll(count)}
        onChange={() => (isAll ? selection.clear() : selection.selectAll())}
      />
    </label>
  );
}
