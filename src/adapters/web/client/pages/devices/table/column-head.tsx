import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { words } from '#console/app/words.ts';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import { type Column, FIXED_COLUMNS } from './columns.tsx';
import styles from './device-table.module.css';
import { GREATEST_WIDTH, LEAST_WIDTH } from './use-column-layout.ts';

export interface ColumnHeadProps {
  readonly column: Column;
  readonly width: number;
  readonly sort: DeviceSort;
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly className: string | undefined;
  /** Null makes the column as wide as its content. */
  readonly onResize: (width: number | null) => void;
  readonly onMove: (step: 1 | -1) => void;
  readonly onDrag: (x: number | null) => void;
  readonly onDrop: (x: number) => void;
  /** On which side of this head a dragged column would be dropped. */
  readonly drop: 'before' | 'after' | null;
}

/** In pixels, for each press of an arrow key. */
const STEP = 16;

/** In pixels; a shorter movement is a click. */
const DRAG_FROM = 6;

export function ColumnHead(props: ColumnHeadProps) {
  const { column, width, sort, onSort, className, onResize, onDrag, onDrop, drop } = props;
  const { id, title, sortKey } = column;
  const isDragged = useRef(false);
  const isSorted = sortKey !== null && sort.key === sortKey;
  const isMovable = !FIXED_COLUMNS.includes(id);

  /** Listens on the window, because a fast pointer leaves the head at once. */
  function begin({ button, clientX, pointerType }: PointerEvent) {
    if (button !== 0 || pointerType === 'touch') return;
    const ended = new AbortController();
    const { signal } = ended;
    const end = () => {
      ended.abort();
      onDrag(null);
      // The click after the drag must not sort.
      setTimeout(() => {
        isDragged.current = false;
      });
    };
    window.addEventListener(
      'pointermove',
      ({ clientX: x }) => {
        isDragged.current ||= Math.abs(x - clientX) >= DRAG_FROM;
        if (isDragged.current) onDrag(x);
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      ({ clientX: x }) => {
        if (isDragged.current) onDrop(x);
        end();
      },
      { signal },
    );
    window.addEventListener('pointercancel', end, { signal });
  }

  return (
    <th
      scope="col"
      aria-label={title}
      className={`${styles.head} ${className ?? ''}`}
      data-drop={drop ?? undefined}
      {...(isSorted && { 'aria-sort': sort.isDescending ? 'descending' : 'ascending' })}
      onPointerDown={isMovable ? begin : undefined}
      onClickCapture={(event) => {
        if (isDragged.current) event.stopPropagation();
      }}
    >
      {sortKey === null ? (
        <span data-fit="">{title}</span>
      ) : (
        <button type="button" onClick={() => onSort(nextSort(sort, sortKey))}>
          <span data-fit="">{title}</span>
          <span aria-hidden="true" className={styles.arrow}>
            {isSorted ? (sort.isDescending ? '▼' : '▲') : ''}
          </span>
        </button>
      )}
      <ColumnEdge id={id} title={title} width={width} onResize={onResize} onMove={props.onMove} />
    </th>
  );
}

function nextSort(sort: DeviceSort, key: DeviceSort['key']): DeviceSort | null {
  if (sort.key !== key) return { key, isDescending: false };
  return sort.isDescending ? null : { key, isDescending: true };
}

export const edgeId = (id: string) => `edge-${id}`;

interface ColumnEdgeProps extends Pick<ColumnHeadProps, 'width' | 'onResize' | 'onMove'> {
  readonly id: string;
  readonly title: string;
}

/** Dragging and the arrow keys resize the column. Shift with an arrow key moves it. */
function ColumnEdge({ id, title, width, onResize, onMove }: ColumnEdgeProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  const resize = (wanted: number) => onResize(Math.min(Math.max(wanted, LEAST_WIDTH), GREATEST_WIDTH));

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null;
    if (event.key === 'Enter') onResize(null);
    else if (step === null) return;
    else if (event.shiftKey) onMove(step);
    else resize(width + step * STEP);
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an `hr` cannot be moved.
    <div
      id={edgeId(id)}
      role="separator"
      aria-orientation="vertical"
      aria-label={words.devices.edge(title)}
      aria-description={words.devices.edgeKeys}
      aria-valuenow={Math.round(width)}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={GREATEST_WIDTH}
      title={words.devices.edgeKeys}
      tabIndex={0}
      className={styles.edge}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(null)}
      onPointerDown={(event: PointerEvent) => {
        event.stopPropagation();
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={({ clientX }) => {
        if (start.current !== null) resize(start.current.width + clientX - start.current.x);
      }}
      onLostPointerCapture={() => {
        start.current = null;
      }}
    />
  );
}
