import type { InfiniteData } from '@tanstack/react-query';
import { type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { isAway } from '#console/api/http.ts';
import type { Page } from '#console/api/pages.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import styles from './paged-table.module.css';

export interface PagedTableProps<Row, Key extends QueryKey> {
  readonly label: string;
  readonly query: UseInfiniteQueryOptions<Page<Row>, Error, InfiniteData<Page<Row>>, Key, string | null>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly one: string;
  readonly many: string;
  readonly empty: {
    readonly title: string;
    readonly text: string;
    /** Present if the list is narrowed by a search or filter. */
    readonly onClear?: () => void;
  };
}

export function PagedTable<Row, Key extends QueryKey>(props: PagedTableProps<Row, Key>) {
  const { label, query, columns, keyOf, one, many, empty } = props;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(query);
  const rows = data?.pages.flatMap((page) => page.data);
  const total = data?.pages[0]?.totalCount;
  if (rows === undefined && error !== null && !isAway(error)) {
    return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p role="status" className={styles.count}>
        {rows === undefined ? (
          <Skeleton width={72} />
        ) : (
          words.lists.count(total ?? rows.length, one, many, total === undefined && hasNextPage)
        )}
      </p>
      {rows?.length === 0 ? (
        <Empty title={empty.title} text={empty.text}>
          {empty.onClear !== undefined && <Button onPress={empty.onClear}>{words.lists.clear}</Button>}
        </Empty>
      ) : (
        <DataTable label={label} columns={columns} rows={rows} keyOf={keyOf} />
      )}
      {/* The loaded rows stay above an error of the next page. */}
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {hasNextPage && (
        <div className={styles.more}>
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            {words.loadMore}
          </Button>
        </div>
      )}
    </>
  );
}
