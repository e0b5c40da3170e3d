import type { ReactNode } from 'react';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';

export interface LoadedTableProps<Row> extends Omit<DataTableProps<Row>, 'keyOf'> {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  readonly empty: ReactNode;
}

export function LoadedTable<Row extends { readonly id: string }>(props: LoadedTableProps<Row>) {
  const { query, empty, ...table } = props;
  const { rows } = table;
  return (
    <>
      <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      {rows?.length === 0 && (typeof empty === 'string' ? <p className="soft">{empty}</p> : empty)}
      {(rows === undefined ? query.error === null : rows.length > 0) && (
        <DataTable {...table} keyOf={({ id }) => id} />
      )}
    </>
  );
}
