import type { ReactNode } from 'react';
import { ApiError, isAway } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { messageOf } from '#console/parts/display/format.ts';
import styles from './notice.module.css';

export interface NoticeProps {
  readonly kind: 'error' | 'warning' | 'info' | 'success';
  readonly children: ReactNode;
}

export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export interface ErrorNoticeProps {
  readonly error: unknown;
  /**
   * Absent if another control retries. If given, the notice is hidden while the service is away, because
   * `ConnectionLine` tells the user and retries.
   */
  readonly onRetry?: () => void;
}

export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null;
  if (onRetry !== undefined && isAway(error)) return null;
  return (
    <Notice kind="error">
      <div className={styles.failure}>
        <div>
          <p>{messageOf(error)}</p>
          {error instanceof ApiError && error.requestId !== null && <RequestId id={error.requestId} />}
        </div>
        {onRetry !== undefined && <Button onPress={onRetry}>{words.retry}</Button>}
      </div>
    </Notice>
  );
}

export function RequestId({ id }: { readonly id: string }) {
  return (
    <p className={styles.request}>
      <code>{words.requestId(id)}</code>
      <CopyButton text={id} label={words.copyRequestId} isCompact />
    </p>
  );
}
