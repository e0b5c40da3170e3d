import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { DeviceRow } from '#adapters/http/api-types.ts';
import { DEVICE_PAGE_SIZE, type DeviceQuery, devicePageQuery } from '#console/api/devices.ts';
import { usePreferences } from '#console/app/preferences.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import type { DeviceSelection } from '#console/pages/devices/selection/use-selection.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import type { DeviceSort } from '#domain/device/device-sort.ts';
import { ColumnHeads } from './column-heads.tsx';
import type { Column, ListedDevice, RowContext } from './columns.tsx';
import styles from './device-table.module.css';
import { DeviceTableRow, linkId } from './device-table-row.tsx';
import type { ColumnLayout } from './use-column-layout.ts';
import { useWholeText } from './use-whole-text.tsx';
import { SELECTION_WIDTH, useWidths } from './use-widths.ts';

export interface DeviceTableProps extends RowContext {
  readonly ref: RefObject<HTMLElement | null>;
  readonly query: DeviceQuery;
  readonly sort: DeviceSort;
  /** True while the filter text is unfinished or faulty. */
  readonly isOutOfDate: boolean;
  readonly onSort: (sort: DeviceSort | null) => void;
  readonly count: number;
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  readonly onLayout: (changes: Partial<ColumnLayout>) => void;
  readonly current: number | null;
  readonly onCurrent: (index: number) => void;
  readonly selection: DeviceSelection;
  readonly onRows: (rowAt: (index: number) => DeviceRow | undefined) => void;
}

/** Browsers cannot lay out elements much higher than 17 million pixels, so more rows are left out. */
export const MAX_ROWS = 400_000;

const ROW_HEIGHTS = { comfortable: 36, compact: 28 } as const;

const OVERSCAN = 8;

export function DeviceTable(props: DeviceTableProps) {
  const {
    ref: scroller,
    query,
    sort,
    onSort,
    columns,
    layout,
    onLayout,
    organizations,
    current,
    onCurrent,
    selection,
    onRows,
  } = props;
  const count = Math.min(props.count, MAX_ROWS);
  const tip = useWholeText();
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
  const isPrinted = useIsPrinted();
  const { rowAt, loaded, error, retry } = usePages(
    query,
    items[0]?.index ?? 0,
    items.at(-1)?.index ?? 0,
    count,
  );
  const { widths, isWide } = useWidths(
    scroller,
    columns,
    layout.widths,
    rowAt(items[0]?.index ?? 0) !== undefined,
    virtualizer.isScrolling ? null : (items[0]?.index ?? 0),
    query,
  );
  const printed = isPrinted ? loaded() : null;
  const indexes = printed ?? items.map(({ index }) => index);

  useEffect(() => onRows(rowAt));

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have to be measured again when their height changes.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a list of other devices starts at the top.
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [query.q, query.sort, query.orgId]);

  const currentRow = current === null ? undefined : rowAt(current);
  useEffect(() => {
    if (current !== null) virtualizer.scrollToIndex(current);
  }, [current, virtualizer]);
  // Screen readers announce the row when its link has the focus.
  useEffect(() => {
    if (currentRow !== undefined) document.getElementById(linkId(currentRow))?.focus({ preventScroll: true });
  }, [currentRow]);

  return (
    <>
      <ErrorNotice error={error} onRetry={retry} />
      <section
        ref={scroller}
        aria-label={words.devices.scroller}
        className={styles.scroller}
        data-dimmed={props.isOutOfDate || undefined}
        data-wide={(isWide && !isPrinted) || undefined}
        onFocus={tip.onFocus}
        onBlur={tip.onBlur}
        data-scroll-restoration-id="devices"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard.
        tabIndex={0}
      >
        <table
          aria-label={words.devices.table}
          aria-rowcount={count + 1}
          className={styles.table}
          {...(!isPrinted && {
            style: {
              width: widths.reduce((total, width) => total + width, SELECTION_WIDTH),
              '--name-width': `${widths[0]}px`,
            } as CSSProperties,
          })}
        >
          {!isPrinted && (
            <colgroup>
              <col className={styles.selectionColumn} />
              {columns.map(({ id }, i) => (
                <col key={id} style={{ width: widths[i] }} />
              ))}
            </colgroup>
          )}
          <thead>
            <tr aria-rowindex={1}>
              <ColumnHeads
                columns={columns}
                widths={widths}
                sort={sort}
                onSort={onSort}
                layout={layout}
                onLayout={onLayout}
                selection={selection}
                count={props.count}
              />
            </tr>
          </thead>
          <tbody>
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
                isSelected={selection.has(rowAt(index)?.id ?? '')}
                onSelect={selection.toggle}
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
      {tip.node}
      {printed !== null && printed.length < count && (
        <p>{words.devices.printedInPart((printed[0] ?? 0) + 1, (printed.at(-1) ?? 0) + 1, count)}</p>
      )}
    </>
  );
}

function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row is not focusable and only takes up space.
    <tr aria-hidden="true" className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

/** Rows to load beyond the visible ones. */
const AHEAD = 60;

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
    rowAt: (index: number): ListedDevice | undefined => {
      const page = Math.floor(index / DEVICE_PAGE_SIZE);
      return answers[page - firstPage]?.data?.data[index - page * DEVICE_PAGE_SIZE];
    },
    loaded: () =>
      answers.flatMap(({ data }, i) =>
        (data?.data ?? []).map((_, row) => (firstPage + i) * DEVICE_PAGE_SIZE + row),
      ),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of answers) if (error !== null) void refetch();
    },
  };
}

function useIsPrinted(): boolean {
  const [isPrinted, setIsPrinted] = useState(false);
  useEffect(() => {
    // Renders at once, because the browser prints what is shown when this handler returns.
    const begin = () => flushSync(() => setIsPrinted(true));
    const end = () => setIsPrinted(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinted;
}
