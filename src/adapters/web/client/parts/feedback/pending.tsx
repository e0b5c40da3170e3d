import type { ReactNode } from 'react';
import { ApiError } from '#console/api/http.ts';
import { Page } from '#console/parts/layout/page.tsx';
import { ErrorNotice } from './notice.tsx';
import { Skeleton } from './skeleton.tsx';

interface Query {
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export function Pending({ query: { error, refetch } }: { readonly query: Query }) {
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return <Skeleton width="60%" />;
}

interface PendingPageProps {
  readonly title: string;
  readonly query: Query;
  /** Shown if the answer is 404. */
  readonly gone: ReactNode;
}

export function PendingPage({ title, query: { error, refetch }, gone }: PendingPageProps) {
  return (
    <Page title={title}>
      {error === null ? (
        <div className="stack">
          <Skeleton width={320} />
          <Skeleton width={560} />
          <Skeleton width={480} />
        </div>
      ) : error instanceof ApiError && error.status === 404 ? (
        gone
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}
