import type { ReactNode } from 'react';
import styles from './toast.module.css';

/** What was done, said over the end of the page; empty, it keeps its place, so that what comes is announced. */
export function Toast({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className={styles.place}>
      {children !== null && <div className={styles.toast}>{children}</div>}
    </div>
  );
}
