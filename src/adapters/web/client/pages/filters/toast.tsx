import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './toast.module.css';

export interface ToastProps {
  readonly children: ReactNode;
  /** Absent where it cannot be undone. */
  readonly onUndo?: () => void;
}

/** What was done, said over the end of the page; empty, it keeps its place, so that what comes is announced. */
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
