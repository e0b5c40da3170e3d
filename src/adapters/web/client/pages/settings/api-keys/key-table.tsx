/** A list of keys, whatever the keys are for: on its way, failed, empty, or there. */
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';

export interface KeyTableProps<Key> {
  readonly label: string;
  readonly columns: readonly Column<Key>[];
  /** Undefined until they have come. */
  readonly keys: readonly Key[] | undefined;
  /** Null: none so far. */
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** What is said where there is no key. */
  readonly empty: { readonly title: string; readonly text: string };
}

export function KeyTable<Key extends { readonly id: string }>(props: KeyTableProps<Key>) {
  const { label, columns, keys, error, onRetry, empty } = props;
  if (keys === undefined && error !== null) return <ErrorNotice error={error} onRetry={onRetry} />;
  if (keys?.length === 0) return <Empty title={empty.title} text={empty.text} />;
  return <DataTable label={label} columns={columns} rows={keys} pendingRows={2} keyOf={({ id }) => id} />;
}
