import type { ReactNode } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly kind: 'danger' | 'primary';
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Stays open if the action fails, and shows the error. */
export function ConfirmDialog({ title, children, action, kind, onConfirm, onClose }: ConfirmDialogProps) {
  const { isSending, fault, send } = useSending();
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{children}</p>
      <ErrorNotice error={fault} />
      <DialogActions>
        <Button kind="quiet" onPress={onClose}>
          {words.cancel}
        </Button>
        <Button
          kind={kind}
          isPending={isSending}
          onPress={() =>
            void send(async () => {
              await onConfirm();
              onClose();
            })
          }
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
