import type { ReactNode } from 'react';
import { ApiError } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import styles from './toast.module.css';

export interface ToastProps {
  readonly children: ReactNode;
  readonly onUndo?: () => void;
}

/** Stays mounted while empty, so screen readers announce its message. */
export function Toast({ children, onUndo }: ToastProps) {
  return (
    <div role="status" className={styles.place}>
      {children !== null && (
        <div className={styles.toast}>
          {children}
          {onUndo !== undefined && (
            <Button kind="quiet" isCompact onPress={onUndo}>
              {words.filters.undo}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

export function SaveFault({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') return <ErrorNotice error={error} />;
  return (
    <Notice kind="error">
      <p>{words.filters.quota}</p>
      <p>{error.message}</p>
      <p>{words.filters.quotaWhatToDo}</p>
    </Notice>
  );
}
