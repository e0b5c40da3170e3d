import type { ReactNode } from 'react';
import { usePreferences } from '#console/app/preferences.ts';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The column names the row, and is its heading on narrow screens. */
  readonly isMain?: boolean;
  readonly align?: 'end';
  /** For buttons: only screen readers get the title. */
  readonly isAction?: boolean;
  readonly fits?: boolean;
  readonly sort?: { readonly direction: 'ascending' | 'descending' | null; readonly onSort: () => void };
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly pendingRows?: number;
  readonly keyOf: (row: Row) => string;
}

export function DataTable<Row>({ label, columns, rows, pendingRows = 8, keyOf }: DataTableProps<Row>) {
  const { density } = usePreferences();
  return (
    <div className={styles.frame} data-density={density}>
      <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map(({ id, title, sort, align, fits, isAction }) => (
              <th
                key={id}
                scope="col"
                data-align={isAction ? 'end' : align}
                data-fits={fits || isAction || undefined}
                aria-sort={sort?.direction ?? undefined}
              >
                {isAction ? (
                  <span className="visually-hidden">{title}</span>
                ) : sort === undefined ? (
                  title
                ) : (
                  <button type="button" className={styles.sort} onClick={sort.onSort}>
                    {title}
                    <span aria-hidden="true" className={styles.arrow}>
                      {sort.direction === 'ascending' ? '▲' : sort.direction === 'descending' ? '▼' : ''}
                    </span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: pendingRows }, (_, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are all alike.
                <tr key={i}>
                  {columns.map(({ id, isMain, align }) => (
                    <td key={id} data-main={isMain || undefined} data-align={align}>
                      <Skeleton width={isMain ? '70%' : '48px'} />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map(({ id, title, cell, isMain, isAction, align, fits }) => (
                    <td
                      key={id}
                      data-title={title}
                      data-main={isMain || undefined}
                      data-action={isAction || undefined}
                      data-align={isAction ? 'end' : align}
                      data-fits={fits || isAction || undefined}
                    >
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}
