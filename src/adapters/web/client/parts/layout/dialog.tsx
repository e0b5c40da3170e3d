import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Pixels; default: 440. */
  readonly width?: number;
  /** Whether a click beside it leaves it open, as something would be lost. */
  readonly isPersistent?: boolean;
  /** Whether what it shows is never shown again: only a button of the dialog closes it, and Esc does not. */
  readonly isShownOnce?: boolean;
}

/** A dialog in the middle of the page. Esc closes it, and the focus goes back to where it was. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, width = 440, isPersistent = false, isShownOnce = false } = props;
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      isDismissable={!isPersistent && !isShownOnce}
      isKeyboardDismissDisabled={isShownOnce}
      onOpenChange={(opens) => {
        if (!opens) onClose();
      }}
    >
      <Modal className={styles.modal} style={{ maxWidth: width }}>
        <AriaDialog className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog or form. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface SubmitActionsProps {
  /** What the form does. */
  readonly submit: string;
  /** Default: primary. */
  readonly kind?: 'danger' | 'primary';
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog: away from it, or on with it. */
export function SubmitActions({ submit, kind = 'primary', isSending, onCancel }: SubmitActionsProps) {
  return (
    <DialogActions>
      <Button kind="quiet" onPress={onCancel}>
        {words.cancel}
      </Button>
      <Button kind={kind} type="submit" isPending={isSending}>
        {submit}
      </Button>
    </DialogActions>
  );
}
