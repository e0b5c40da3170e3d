import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './toast.module.css';

export interface ToastProps {
  readonly children: ReactNode;
  readonly onUndo?: (() => void) | undefined;
}

/** Always mounted, so screen readers announce a message when it appears. */
export function Toast({ children, onUndo }: ToastProps) {
  return (
    <div role="status" className={styles.place}>
      {children !== null && (
        <div className={`floating ${styles.toast}`}>
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
