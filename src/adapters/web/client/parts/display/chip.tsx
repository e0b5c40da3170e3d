import type { ReactNode, Ref } from 'react';
import styles from './chip.module.css';
import { Icon } from './icon.tsx';

export interface ChipProps {
  readonly children: ReactNode;
  readonly title?: string;
  readonly isInField?: boolean;
  readonly open?: ChipOpening;
  readonly removal?: ChipRemoval;
}

export interface ChipOpening {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly tabIndex: number;
  readonly describedBy: string;
}

export interface ChipRemoval {
  readonly label: string;
  readonly onRemove: () => void;
  readonly isDisabled?: boolean;
  /** -1 if a key press on the chip itself removes it. */
  readonly tabIndex?: number;
}

export function Chip({ children, title, isInField = false, open, removal }: ChipProps) {
  return (
    <span className={`${styles.chip} ${isInField ? styles.inField : ''}`}>
      {open === undefined ? (
        <span className={styles.text} title={title}>
          {children}
        </span>
      ) : (
        <button
          ref={open.ref}
          type="button"
          className={`${styles.text} ${styles.open}`}
          title={title}
          aria-haspopup="dialog"
          aria-expanded={open.isOpen}
          aria-describedby={open.describedBy}
          tabIndex={open.tabIndex}
          data-chip=""
          onClick={open.onOpen}
        >
          {children}
        </button>
      )}
      {removal !== undefined && (
        <button
          type="button"
          className={styles.remove}
          aria-label={removal.label}
          disabled={removal.isDisabled}
          tabIndex={removal.tabIndex}
          onClick={removal.onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}
