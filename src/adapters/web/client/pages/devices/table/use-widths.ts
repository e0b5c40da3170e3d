import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { DeviceQuery } from '#console/api/devices.ts';
import type { Column } from './columns.tsx';
import { type ColumnWidths, type LaidOutColumns, layOutColumns } from './lay-out-columns.ts';

export const SELECTION_WIDTH = 40;

/** In pixels, for padding, the line between columns and rounding. */
const AROUND = 18;

const ARROW = 14;

/** Kept when the page is left, so columns do not move when the user comes back. */
let measured: ColumnWidths = {};

/**
 * Measures each query's first rows, and later rows whose content does not fit, once scrolling rests at `restsAt`.
 * Columns only grow, so they do not jump between filters.
 */
export function useWidths(
  scroller: RefObject<HTMLElement | null>,
  columns: readonly Column[],
  byHand: ColumnWidths,
  hasRows: boolean,
  /** Index of the first row; null while the list scrolls. */
  restsAt: number | null,
  { q, orgId, sort, fields }: DeviceQuery,
): LaidOutColumns {
  const [natural, setNatural] = useState(measured);
  const room = useRoom(scroller);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another query has other content to measure.
  useLayoutEffect(() => {
    if (!hasRows || scroller.current === null) return;
    measured = { ...measured, ...measure(scroller.current, columns) };
    setNatural(measured);
  }, [scroller, columns, hasRows, q, orgId, sort, fields?.join()]);

  useLayoutEffect(() => {
    if (!hasRows || restsAt === null || scroller.current === null) return;
    const needed = measure(scroller.current, columns);
    const heads = scroller.current.querySelectorAll('th');
    const isCut = ({ id }: Column, i: number) =>
      (needed[id] ?? 0) > Math.max(measured[id] ?? 0, heads[i + 1]?.offsetWidth ?? 0);
    if (!columns.some(isCut)) return;
    measured = { ...measured, ...needed };
    setNatural(measured);
  }, [scroller, columns, hasRows, restsAt]);

  return useMemo(
    () => layOutColumns(columns, natural, byHand, room - SELECTION_WIDTH),
    [columns, natural, byHand, room],
  );
}

function measure(scroller: HTMLElement, columns: readonly Column[]): ColumnWidths {
  const rows = [...scroller.querySelectorAll<HTMLTableRowElement>('tr:not([aria-busy], [aria-hidden])')];
  const range = document.createRange();
  const widthOf = (cell: HTMLTableCellElement | undefined) => {
    if (cell === undefined) return 0;
    range.selectNodeContents(cell.querySelector('[data-fit]') ?? cell);
    return Math.ceil(range.getBoundingClientRect().width) + AROUND + (cell.tagName === 'TH' ? ARROW : 0);
  };
  return Object.fromEntries(
    columns.map(({ id }, i) => [
      id,
      // The first cell is the checkbox.
      Math.max(measured[id] ?? 0, ...rows.map(({ cells }) => widthOf(cells[i + 1]))),
    ]),
  );
}

/** The list's width without its scroll bar. */
function useRoom(scroller: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(() => window.innerWidth);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return room;
}
