import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { DEVICE_PAGE_SIZE, type DeviceQuery, devicePageQuery } from '#console/api/devices/devices.ts';
import { usePreferences } from '#console/app/preferences.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useIsPrinted } from '#console/parts/hooks/use-is-printed.ts';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import type { Column, RowContext } from './columns.tsx';
import styles from './device-table.module.css';
import { DeviceTableRow, linkId } from './device-table-row.tsx';
import { SortHeader } from './sort-header.tsx';

export interface DeviceTableProps extends RowContext {
  /** What scrolls. */
  readonly ref: RefObject<HTMLElement | null>;
  readonly query: DeviceQuery;
  readonly sort: DeviceSort;
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly count: number;
  readonly columns: readonly Column[];
  /** The row that the keys act on; null before any was chosen. */
  readonly current: number | null;
  readonly onCurrent: (index: number) => void;
  readonly selected: ReadonlyMap<string, DeviceRow>;
  readonly onSelect: (row: DeviceRow) => void;
  /** Tells which devices are at these places, as far as they are loaded. */
  readonly onRows: (rowAt: (index: number) => DeviceRow | undefined) => void;
}

/** Browsers lay out no more than some 17 million pixels. */
export const MAX_ROWS = 400_000;

const ROW_HEIGHTS = { comfortable: 36, compact: 28 } as const;

/** Rows that are kept beyond what is seen, either way. */
const OVERSCAN = 8;

/** Any number of devices, of which those that are looked at are loaded and drawn. */
export function DeviceTable(props: DeviceTableProps) {
  const {
    ref: scroller,
    query,
    sort,
    onSort,
    columns,
    organizations,
    current,
    onCurrent,
    selected,
    onSelect,
    onRows,
  } = props;
  const count = Math.min(props.count, MAX_ROWS);
  const { density } = usePreferences();
  const rowHeight = ROW_HEIGHTS[density];
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollPaddingStart: rowHeight,
  });
  const items = virtualizer.getVirtualItems();
  const isWide = useIsWide(scroller);
  const { rowAt, loaded, error } = usePages(query, items[0]?.index ?? 0, items.at(-1)?.index ?? 0, count);
  const isPrinted = useIsPrinted();
  const printed = isPrinted ? loaded() : null;
  const indexes = printed ?? items.map(({ index }) => index);

  useEffect(() => onRows(rowAt));

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured again.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other devices begin at the top.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [query.q, query.sort, query.orgId]);

  const currentRow = current === null ? undefined : rowAt(current);
  useEffect(() => {
    if (current !== null) virtualizer.scrollToIndex(current);
  }, [current, virtualizer]);
  // Once it is there: keys move the focus as well, so that it is read out.
  useEffect(() => {
    if (currentRow !== undefined) document.getElementById(linkId(currentRow))?.focus({ preventScroll: true });
  }, [currentRow]);

  return (
    <>
      <ErrorNotice error={error} />
      <section
        ref={scroller}
        aria-label={words.devices.scroller}
        className={styles.scroller}
        data-wide={(isWide && !isPrinted) || undefined}
        data-scroll-restoration-id="devices"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
      >
        <table
          aria-label={words.devices.table}
          aria-rowcount={count + 1}
          className={styles.table}
          // The widths of a screen are of no use to paper.
          {...(!isPrinted && {
            style: { minWidth: columns.reduce((sum, { width }) => sum + width, SELECTION_WIDTH) },
          })}
        >
          {!isPrinted && (
            <colgroup>
              <col className={styles.selectionColumn} />
              {columns.map(({ id, width }) => (
                <col key={id} style={{ width: id === 'name' ? `clamp(150px, 30vw, ${width}px)` : width }} />
              ))}
            </colgroup>
          )}
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className={styles.selection}>
                <span className="visually-hidden">{words.devices.select(words.devices.table)}</span>
              </th>
              {columns.map((column) => (
                <SortHeader
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={onSort}
                  className={styles[column.id]}
                />
              ))}
            </tr>
          </thead>
          <tbody onPointerOver={loadDevicePage}>
            {!isPrinted && <Space height={items[0]?.start ?? 0} columns={columns.length + 1} />}
            {indexes.map((index) => (
              <DeviceTableRow
                key={index}
                index={index}
                row={rowAt(index)}
                height={rowHeight}
                columns={columns}
                organizations={organizations}
                isCurrent={index === current}
                onCurrent={onCurrent}
                isSelected={selected.has(rowAt(index)?.id ?? '')}
                onSelect={onSelect}
              />
            ))}
            {!isPrinted && (
              <Space
                height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)}
                columns={columns.length + 1}
              />
            )}
          </tbody>
        </table>
      </section>
      {printed !== null && printed.length < count && (
        <p>{words.devices.printedInPart((printed[0] ?? 0) + 1, (printed.at(-1) ?? 0) + 1, count)}</p>
      )}
    </>
  );
}

/** Fetches ahead what shows a device, for whoever is about to open one. */
function loadDevicePage(): void {
  void import('#console/pages/device/device-page.tsx').catch(() => undefined);
}

/** Whether there is more beside what is seen: cells that stay in their place then are a layer each, which costs. */
function useIsWide(scroller: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => setIsWide(element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(look);
    for (const watched of [element, ...element.children]) observer.observe(watched);
    return () => observer.disconnect();
  }, [scroller]);
  return isWide;
}

/** Pixels. */
const SELECTION_WIDTH = 40;

/** What stands for the rows that are not drawn. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it is not focusable, and stands for nothing that can be read.
    <tr aria-hidden="true" className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** Rows beside those that are drawn whose pages are loaded ahead: what a hand passes while an answer comes. */
const AHEAD = 60;

/** Loads the pages that hold these rows, and those that are looked at next. */
function usePages(query: DeviceQuery, first: number, last: number, count: number) {
  const api = useApi();
  const queries = useQueryClient();
  const firstPage = Math.floor(Math.max(0, first - AHEAD) / DEVICE_PAGE_SIZE);
  const pages = Array.from(
    { length: Math.floor(Math.min(last + AHEAD, count - 1) / DEVICE_PAGE_SIZE) - firstPage + 1 },
    (_, i) => firstPage + i,
  );
  const answers = useQueries({
    queries: pages.map((page) => devicePageQuery(api, queries, query, page)),
  });
  return {
    rowAt: (index: number): DeviceRow | undefined => {
      const page = Math.floor(index / DEVICE_PAGE_SIZE);
      return answers[page - firstPage]?.data?.data[index - page * DEVICE_PAGE_SIZE];
    },
    /** The places of those that are there, of the pages around. */
    loaded: () =>
      answers.flatMap(({ data }, i) =>
        (data?.data ?? []).map((_, row) => (firstPage + i) * DEVICE_PAGE_SIZE + row),
      ),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}
