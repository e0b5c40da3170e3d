import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** In pixels. */
  readonly width?: number | undefined;
  /** A click outside does not close the dialog, so input is not lost. */
  readonly isPersistent?: boolean | undefined;
  /** The content cannot be shown again: Esc asks first, and a click outside does nothing. */
  readonly isShownOnce?: boolean;
}

export function Dialog(props: DialogProps) {
  const { title, isOpen = true, onClose, children, width = 440 } = props;
  const { isPersistent = false, isShownOnce = false } = props;
  const [isAsked, setIsAsked] = useState(false);
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      isDismissable={!isPersistent && !isShownOnce}
      onOpenChange={(opens) => {
        if (opens) return;
        if (isShownOnce) setIsAsked(true);
        else onClose();
      }}
    >
      <Modal className={`floating ${styles.modal}`} style={{ maxWidth: width }}>
        <AriaDialog className={styles.dialog}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
          {isAsked && (
            <Dialog title={words.shownOnceTitle} onClose={() => setIsAsked(false)}>
              <p>{words.shownOnceText}</p>
              <DialogActions>
                <Button autoFocus onPress={() => setIsAsked(false)}>
                  {words.keepOpen}
                </Button>
                <Button kind="danger" onPress={onClose}>
                  {words.close}
                </Button>
              </DialogActions>
            </Dialog>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface SubmitActionsProps {
  readonly submit: string;
  readonly kind?: 'danger' | 'primary';
  readonly isSending: boolean;
  readonly onCancel: () => void;
}

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
