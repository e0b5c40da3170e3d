import type { ReactNode } from 'react';
import { ApiError, isOffline } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import styles from './notice.module.css';

export interface NoticeProps {
  readonly kind: 'error' | 'warning' | 'info' | 'success';
  readonly children: ReactNode;
}

/** Something that is said on the page itself. An error is announced. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** What went wrong, with the request to name when asking for help; nothing where nothing did. */
export function ErrorNotice({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Notice kind="error">
      <p>{messageOf(error)}</p>
      {error instanceof ApiError && error.requestId !== null && (
        <p className={styles.request}>
          <code>{words.requestId(error.requestId)}</code>
        </p>
      )}
    </Notice>
  );
}

export function messageOf(error: unknown): string {
  if (isOffline(error)) return words.offline;
  return error instanceof Error ? error.message : String(error);
}
