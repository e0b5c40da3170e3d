import { words } from '#console/app/words.ts';
import { ErrorNotice, type ErrorNoticeProps } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import styles from './editor-skeleton.module.css';

/** The shape of a filter's page while it is loading, and what went wrong where it cannot be. */
export function EditorSkeleton({ error, onRetry }: Required<ErrorNoticeProps>) {
  if (error !== null && error !== undefined) {
    return (
      <Page title={words.failedTitle}>
        <ErrorNotice error={error} onRetry={onRetry} />
      </Page>
    );
  }
  return (
    <Page title={words.loading} heading={<Skeleton width={240} />}>
      <div className={styles.lines} aria-busy="true">
        <Skeleton width={600} />
        <Skeleton width={600} />
        <Skeleton width={180} />
        <Skeleton width="80%" />
        <Skeleton width="80%" />
      </div>
    </Page>
  );
}
